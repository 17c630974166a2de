/** One request at a time; what is asked for meanwhile is asked once more at the end. */

/** @param {() => Promise<void>} work @returns {() => void} */
export function latest(work) {
  let busy = false;
  let again = false;
  return async function run() {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    try {
      await work();
    } catch (error) {
      // the next state asks again; the connection itself says when the server is gone
      console.warn(error);
    }
    busy = false;
    if (again) {
      again = false;
      void run();
    }
  };
}
