"""The labelling page: a server over the labelling loop, its journal and its guard; the front end lies in static/."""
