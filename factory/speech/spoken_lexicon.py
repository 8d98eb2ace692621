"""Words and symbols that are written one way and said another, as they come up in calls."""

TITLES = {"Dr": "Doctor", "Mr": "Mister", "Mrs": "Missus", "Ms": "Miz", "Prof": "Professor", "St": "Saint"}
"""Titles before a name, with or without a full stop."""

STREETS = {
    "St": "Street",
    "Dr": "Drive",
    "Ave": "Avenue",
    "Blvd": "Boulevard",
    "Rd": "Road",
    "Ln": "Lane",
    "Ct": "Court",
    "Pl": "Place",
    "Hwy": "Highway",
    "Pkwy": "Parkway",
}
"""Street types after a name."""

DOTTED = {
    "Jr": "Junior",
    "Sr": "Senior",
    "Apt": "Apartment",
    "Ste": "Suite",
    "Inc": "Incorporated",
    "Ltd": "Limited",
    "Corp": "Corporation",
    "Co": "Company",
    "Dept": "Department",
    "dept": "department",
    "appt": "appointment",
    "acct": "account",
    "approx": "approximately",
    "ext": "extension",
    "Ext": "extension",
    "est": "estimated",
    "min": "minutes",
    "hrs": "hours",
    "vs": "versus",
    "etc": "et cetera",
    "Mon": "Monday",
    "Tues": "Tuesday",
    "Tue": "Tuesday",
    "Wed": "Wednesday",
    "Thurs": "Thursday",
    "Thu": "Thursday",
    "Fri": "Friday",
}
"""Short forms that are such only with a full stop: "min" and "est" are words too."""

UNDOTTED = {"Apt": "Apartment", "Ste": "Suite", "vs": "versus", "appt": "appointment", "acct": "account"}
"""Short forms that need no full stop."""

SYMBOLS = {
    "w/o": "without",
    "w/": "with ",
    "&": " and ",
    "+": " plus ",
    "=": " equals ",
    "@": " at ",
    "#": " number ",
}
"""Symbols between words."""

# fmt: off
SPELLED = frozenset((
    "SSN", "ID", "IDs", "ATM", "APR", "APY", "IRS", "DMV", "PO", "HR", "IT", "VIP", "URL", "USB", "DVD",
    "TV", "PC", "GPS", "VIN", "DOB", "EOB", "HMO", "PPO", "ER", "ICU", "MRI", "CPR", "DNA", "EMT", "FBI",
    "USA", "US", "UK", "EU", "NYC", "LA", "DC", "CEO", "FAQ", "FYI", "ETA", "ASAP", "IRA", "CD", "CPA",
    "LLC", "HOA", "HVAC", "UPS", "USPS", "DHL", "RSVP", "SMS", "DSL", "VPN", "PDF", "IP", "PM", "AM", "OK",
    "OTP", "MFA", "CVV", "ACH", "EFT", "KYC", "FDIC", "FHA", "VA", "SBA", "SSI", "SSDI", "EBT", "TSA", "RV",
    "SUV", "AC", "DIY", "TTY", "PTO", "LTE", "ISP", "RMA", "SKU", "POS", "FSA", "HSA", "COB", "DME", "EKG",
    "IV", "PT", "OT", "UTI", "ADHD", "PTSD", "DOT", "EPA", "ICE", "DUI", "AAA", "AARP",
))
"""Capitals that are read letter by letter, although they could be a word."""

SAID = frozenset((
    "FEMA", "NASA", "HIPAA", "COBRA", "COVID", "AIDS", "PIN", "PINS", "SIM", "WIC", "SNAP", "RAM", "LASIK",
    "NATO", "OSHA", "MEDICARE", "ZIP",
))
"""Capitals that are read as a word."""

SHOUTED = frozenset((
    "NO", "YES", "NOT", "NOW", "WHY", "HOW", "WHO", "ALL", "AND", "ANY", "ARE", "BUT", "CAN", "DID", "FOR",
    "GET", "GOT", "HAD", "HAS", "HER", "HIM", "HIS", "ITS", "LET", "MAY", "ME", "MY", "NEW", "OFF", "OH",
    "OLD", "ONE", "OUR", "OUT", "OWE", "PAY", "SAY", "SEE", "SHE", "SO", "THE", "TO", "TOO", "TRY", "TWO",
    "UP", "USE", "WAS", "WAY", "WE", "YOU", "YET", "AN", "AS", "AT", "BE", "BY", "DO", "GO", "HE", "IF",
    "IN", "IS", "OF", "ON", "OR", "HEY", "UH", "UM", "AH", "STOP", "WANT",
))
"""Short words that are capitals for emphasis only."""
# fmt: on
