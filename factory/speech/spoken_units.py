"""Units, and how an amount of them is written."""

from __future__ import annotations

import re

from factory.speech import spoken_numbers as numbers

UNITS = {
    "%": ("percent", "percent"),
    "¢": ("cent", "cents"),
    "°": ("degree", "degrees"),
    "°F": ("degree Fahrenheit", "degrees Fahrenheit"),
    "°C": ("degree Celsius", "degrees Celsius"),
    "lb": ("pound", "pounds"),
    "lbs": ("pound", "pounds"),
    "oz": ("ounce", "ounces"),
    "gal": ("gallon", "gallons"),
    "qt": ("quart", "quarts"),
    "ct": ("count", "count"),
    "pk": ("pack", "pack"),
    "tsp": ("teaspoon", "teaspoons"),
    "tbsp": ("tablespoon", "tablespoons"),
    "ft": ("foot", "feet"),
    "yd": ("yard", "yards"),
    "yds": ("yard", "yards"),
    "mi": ("mile", "miles"),
    "MPH": ("mile an hour", "miles an hour"),
    "MPG": ("mile per gallon", "miles per gallon"),
    "mph": ("mile an hour", "miles an hour"),
    "mpg": ("mile per gallon", "miles per gallon"),
    "g": ("gram", "grams"),
    "kg": ("kilogram", "kilograms"),
    "mg": ("milligram", "milligrams"),
    "mcg": ("microgram", "micrograms"),
    "mL": ("milliliter", "milliliters"),
    "ml": ("milliliter", "milliliters"),
    "cc": ("C C", "C C"),
    "mg/dL": ("milligram per deciliter", "milligrams per deciliter"),
    "mg/mL": ("milligram per milliliter", "milligrams per milliliter"),
    "mm": ("millimeter", "millimeters"),
    "cm": ("centimeter", "centimeters"),
    "km": ("kilometer", "kilometers"),
    "km/h": ("kilometer an hour", "kilometers an hour"),
    "ms": ("millisecond", "milliseconds"),
    "min": ("minute", "minutes"),
    "mins": ("minute", "minutes"),
    "hr": ("hour", "hours"),
    "hrs": ("hour", "hours"),
    "h": ("hour", "hours"),
    "sec": ("second", "seconds"),
    "secs": ("second", "seconds"),
    "wk": ("week", "weeks"),
    "wks": ("week", "weeks"),
    "mo": ("month", "months"),
    "mos": ("month", "months"),
    "yr": ("year", "years"),
    "yrs": ("year", "years"),
    "KB": ("kilobyte", "kilobytes"),
    "MB": ("megabyte", "megabytes"),
    "GB": ("gigabyte", "gigabytes"),
    "TB": ("terabyte", "terabytes"),
    "MB/s": ("megabyte per second", "megabytes per second"),
    "GB/s": ("gigabyte per second", "gigabytes per second"),
    "b/s": ("bit per second", "bits per second"),
    "Mb/s": ("megabit per second", "megabits per second"),
    "Gb/s": ("gigabit per second", "gigabits per second"),
    "Mbps": ("megabit per second", "megabits per second"),
    "Gbps": ("gigabit per second", "gigabits per second"),
    "MHz": ("megahertz", "megahertz"),
    "Ghz": ("gigahertz", "gigahertz"),
    "GHz": ("gigahertz", "gigahertz"),
    "kW": ("kilowatt", "kilowatts"),
    "BR": ("bedroom", "bedroom"),
    "BA": ("bath", "bath"),
    "kWh": ("kilowatt hour", "kilowatt hours"),
    "mAh": ("milliamp hour", "milliamp hours"),
    "Hz": ("hertz", "hertz"),
    "kHz": ("kilohertz", "kilohertz"),
    "dB": ("decibel", "decibels"),
    "kbps": ("kilobit per second", "kilobits per second"),
    "Kbps": ("kilobit per second", "kilobits per second"),
    "IU": ("international unit", "international units"),
    "mEq": ("milliequivalent", "milliequivalents"),
    "mmol/L": ("millimole per liter", "millimoles per liter"),
    "bpm": ("beat per minute", "beats per minute"),
    "bps": ("basis point", "basis points"),
    "gpm": ("gallon per minute", "gallons per minute"),
    "gpf": ("gallon per flush", "gallons per flush"),
    "psi": ("P S I", "P S I"),
    "ccf": ("C C F", "C C F"),
    "ft2": ("square foot", "square feet"),
    "ft3": ("cubic foot", "cubic feet"),
    "m2": ("square meter", "square meters"),
    "m3": ("cubic meter", "cubic meters"),
    "km2": ("square kilometer", "square kilometers"),
}
"""What is said for one of a unit, and for several."""

SCALES = {"k": "thousand", "m": "million", "mm": "million", "mil": "million", "b": "billion", "bn": "billion"}
AMOUNT = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
UNIT = "|".join(re.escape(unit) for unit in sorted(UNITS, key=len, reverse=True))


def number(text: str) -> str:
    """Return an amount, as `AMOUNT` finds it, in words."""
    whole, point, fraction = text.partition(".")
    if point:
        return numbers.decimal(whole.replace(",", ""), fraction)
    return numbers.cardinal(int(whole.replace(",", "")))
