"""Writes ticks.json: when cron rules are due over ten years, worked out without the program.

    pip install croniter==7.0.0 tzdata==2026.6
    python tool-std/tests/schedule/ticks/generate.py

`croniter` walks the expression on a clock that is never changed; `zoneinfo` says at which instants such a clock shows each
time. What a skipped or a repeated time means is decided here, as docs/schedules.md tells it. `croniter` also walks each rule
in the zone itself: where it decides otherwise, both answers are written down.
"""

import datetime
import hashlib
import importlib.metadata
import json
import pathlib
import zoneinfo

import croniter

# The data of the package `tzdata`, not those of this machine.
zoneinfo.reset_tzpath(to=[])

UTC = datetime.timezone.utc
SECOND = datetime.timedelta(seconds=1)

# The zone and the year in which its ten years begin, and what is peculiar there.
ZONES = [
    ("UTC", 2026),  # never changed
    ("Europe/Berlin", 2026),  # 02:00 to 03:00 and back
    ("America/New_York", 2026),
    ("Europe/London", 2026),  # 01:00 to 02:00 and back
    ("America/St_Johns", 2026),  # half an hour from the full one
    ("Australia/Lord_Howe", 2026),  # changed by half an hour
    ("Asia/Kathmandu", 2026),  # 5:45, never changed
    ("Africa/Casablanca", 2026),  # changed around Ramadan, winter is the exception
    ("Africa/Cairo", 2026),  # midnight is skipped
    ("America/Havana", 2026),  # midnight is skipped, 00:00 to 01:00 is repeated
    ("Antarctica/Troll", 2026),  # changed by two hours
    ("America/Sao_Paulo", 2010),  # midnight was skipped, and no more from 2019 on
    ("Pacific/Apia", 2006),  # a whole day was skipped
]

# Each with whether it names a single time of day.
EXPRESSIONS = [
    ("30 2 * * *", True),
    ("15 2 * * *", True),
    ("0 0 * * *", True),
    ("30 0 * * *", True),
    ("30 1 * * *", True),
    ("0 9 * * 1-5", True),
    ("10 30 2 * * *", True),
    ("0 12 L * *", True),
    ("30 2 * * 0#2", True),
    ("0 0 29 2 *", True),
    ("45 23 31 12 *", True),
    ("30 1,2 * * *", False),
    ("*/20 0-3 * * 0", False),
    ("0 */6 * * *", False),
]
# Too many ticks for every zone.
FREQUENT = [("0 * * * *", False)]
FREQUENT_ZONES = ("Australia/Lord_Howe", "Pacific/Apia")


def walk(expression, start):
    """The times of an expression after `start`, without an end."""
    has_second = len(expression.split()) == 6
    walker = croniter.croniter(expression, start, second_at_beginning=has_second)
    while True:
        yield walker.get_next(datetime.datetime)


def instants(local, zone):
    """The instants at which a clock in `zone` shows `local`: none, one or two, and the end of the gap if none."""
    readings = [local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)]
    shown = [at for at in readings if at.astimezone(zone).replace(tzinfo=None) == local]
    if shown:
        return sorted(set(shown)), None
    # In a gap the two readings lie on either side of the change.
    before, behind = min(readings), max(readings)
    offset = before.astimezone(zone).utcoffset()
    while behind - before > SECOND:
        middle = (before + (behind - before) / 2).replace(microsecond=0)
        if middle.astimezone(zone).utcoffset() == offset:
            before = middle
        else:
            behind = middle
    return [], behind


def decided(expression, is_single, zone, start, end):
    """The ticks in the way that is documented."""
    ticks = set()
    day = datetime.timedelta(days=2)
    for local in walk(expression, start.astimezone(zone).replace(tzinfo=None) - day):
        if local > end.astimezone(zone).replace(tzinfo=None) + day:
            break
        shown, gap_end = instants(local, zone)
        if is_single:
            ticks.add(shown[0] if shown else gap_end)
        else:
            ticks.update(shown)
    return {tick for tick in ticks if start < tick <= end}


def croniters(expression, zone, start, end):
    """The ticks as croniter finds them in the zone."""
    ticks = set()
    for tick in walk(expression, start.astimezone(zone)):
        tick = tick.astimezone(UTC)
        # It can come back to where it was, at a change.
        if tick > end or len(ticks) > 1_000_000:
            return {tick for tick in ticks if start < tick <= end}
        ticks.add(tick)


def text(tick):
    return tick.strftime("%Y-%m-%dT%H:%M:%SZ")


def case(zone_name, year, expression, is_single):
    zone = zoneinfo.ZoneInfo(zone_name)
    start = datetime.datetime(year, 1, 1, tzinfo=UTC)
    end = datetime.datetime(year + 10, 1, 1, tzinfo=UTC)
    ticks = sorted(decided(expression, is_single, zone, start, end))
    others = croniters(expression, zone, start, end)
    seconds = "\n".join(str(int(tick.timestamp())) for tick in ticks)
    return {
        "zone": zone_name,
        "expression": expression,
        "from": text(start),
        "to": text(end),
        "count": len(ticks),
        "sha256": hashlib.sha256(seconds.encode()).hexdigest(),
        "only_here": [text(tick) for tick in sorted(set(ticks) - others)],
        "only_croniter": [text(tick) for tick in sorted(others - set(ticks))],
    }


def main():
    cases = [
        case(zone, year, expression, is_single)
        for zone, year in ZONES
        for expression, is_single in EXPRESSIONS + (FREQUENT if zone in FREQUENT_ZONES else [])
    ]
    lines = ",\n".join(json.dumps(case) for case in cases)
    versions = {name: importlib.metadata.version(name) for name in ("croniter", "tzdata")}
    path = pathlib.Path(__file__).with_name("ticks.json")
    path.write_text(f'{{"made_with": {json.dumps(versions)}, "cases": [\n{lines}\n]}}\n')


main()
