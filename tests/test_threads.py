import threading
import time
from functools import partial

import numpy as np
import pytest

from fewlabels import FewlabelsError
from fewlabels.threads import (
    FEW_ROWS,
    cores,
    even_ranges,
    in_blocks_of_rows,
    jobs_limited,
    one_blas_thread,
    one_core_each,
    run_in_threads,
    side_by_side,
)


def test_work_is_shared_out_in_order(monkeypatch):
    assert run_in_threads([lambda i=i: i * i for i in range(7)]) == [i * i for i in range(7)]
    assert even_ranges(np.ones(10), 3)[0][0] == 0
    assert sum(b - a for a, b in even_ranges(np.ones(10), 3)) == 10
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert cores() == 1


def test_an_error_in_a_shared_task_is_not_lost():
    def fail():
        raise ValueError("lost")

    with pytest.raises(ValueError, match="lost"):
        run_in_threads([fail, lambda: 1])


def test_the_first_task_of_a_kind_runs_alone_in_the_calling_thread():
    events = []

    def task(number):
        events.append(("begin", number, threading.get_ident()))
        time.sleep(0.01)
        events.append(("end", number, threading.get_ident()))
        return number

    assert run_in_threads([partial(task, number) for number in range(4)]) == [0, 1, 2, 3]
    me = threading.get_ident()
    assert events[:2] == [("begin", 0, me), ("end", 0, me)]
    assert sorted(number for what, number, _ in events if what == "end") == [0, 1, 2, 3]


def test_of_several_kinds_the_first_of_each_runs_alone():
    threads = {}

    def one(number):
        threads[number] = threading.get_ident()
        time.sleep(0.01)

    def another(number):
        one(number)

    run_in_threads([partial(one, 0), partial(another, 1), partial(one, 2), partial(another, 3)])
    assert threads[0] == threads[1] == threading.get_ident()
    assert len(threads) == 4


def test_tasks_about_many_rows_have_all_cores_each():
    assert one_core_each(FEW_ROWS, [cores, cores]) == [1, 1]
    assert one_core_each(FEW_ROWS + 1, [cores, cores]) == [cores(), cores()]


def test_tasks_may_share_out_work_of_their_own():
    def task(number):
        time.sleep(0.01)
        return sum(run_in_threads([partial(int, number), partial(int, 1)]))

    found = []
    thread = threading.Thread(target=lambda: found.extend(run_in_threads([partial(task, n) for n in range(9)])))
    thread.daemon = True
    thread.start()
    thread.join(20)
    assert found == [n + 1 for n in range(9)]


def test_blocks_cover_every_row_once(monkeypatch):
    monkeypatch.setattr("fewlabels.threads.ROWS_AT_ONCE", 7)
    counts = np.zeros(40)

    def count(some):
        counts[some] += 1

    in_blocks_of_rows(40, count)
    assert (counts == 1).all()
    in_blocks_of_rows(0, count)


def test_jobs_are_counted_as_scikit_learn_does(monkeypatch):
    monkeypatch.setattr("fewlabels.threads._usable", lambda: 4)
    for n_jobs, most in ((None, 4), (1, 1), (3, 3), (9, 4), (-1, 4), (-2, 3), (-9, 1)):
        with jobs_limited(n_jobs):
            assert cores() == most
        assert cores() == 4
    for n_jobs in (0, 1.5, "all"):
        with pytest.raises(FewlabelsError, match="must be a whole number other than 0"), jobs_limited(n_jobs):
            pass
    with jobs_limited(2):
        asked = threading.active_count()
        names = set()
        run_in_threads([lambda: names.add(threading.get_ident()) or time.sleep(0.01) for _ in range(8)])
        assert len(names) <= 2, asked


def test_side_by_side_each_task_has_one_core_and_all_come_back_after_an_error():
    before = cores()
    assert side_by_side([cores] * 4) == [1] * 4
    with pytest.raises(ZeroDivisionError):
        side_by_side([lambda: 1 / 0, cores])
    assert cores() == before
    assert side_by_side([partial(run_in_threads, [cores, cores])] * 3) == [[1, 1]] * 3


def test_threads_side_by_side_leave_the_cores_of_blas_as_they_were():
    from threadpoolctl import threadpool_info

    def blas():
        return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]

    def task():
        with one_blas_thread():
            time.sleep(0.01)
        return blas()

    before = blas()
    assert all(count == [1] * len(before) for count in side_by_side([task] * 6))
    assert blas() == before


def test_with_kernels_a_task_is_of_another_kind(monkeypatch):
    threads = []

    def task():
        threads.append(threading.get_ident())
        time.sleep(0.01)

    for pays in (False, True):
        monkeypatch.setattr("fewlabels.threads.kernels_pay", lambda rows, pays=pays: pays)
        threads.clear()
        one_core_each(10, [task, task, task])
        assert threads[0] == threading.get_ident()


def test_blocks_in_two_threads_lift_the_limit_of_blas_when_the_last_has_ended():
    from threadpoolctl import threadpool_info

    def blas():
        return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]

    before, inside, go = blas(), threading.Event(), threading.Event()

    def first():
        with one_blas_thread():
            inside.set()
            go.wait(20)

    thread = threading.Thread(target=first)
    thread.start()
    assert inside.wait(20)
    with one_blas_thread():
        go.set()
        thread.join(20)
        assert set(blas()) <= {1}
    assert blas() == before
