"""Words and symbols that are written one way and said another, as they come up in calls."""

CAPITALS = "A-ZÀ-ÖØ-Þ"
SMALL = "a-zß-öø-ÿ"
LETTERS = f"{CAPITALS}{SMALL}"
"""The letters that engines know, as they stand in the brackets of a pattern."""

TITLES = {
    "Dr": "Doctor",
    "Drs": "Doctors",
    "Mr": "Mister",
    "Mrs": "Missus",
    "Ms": "Miz",
    "Prof": "Professor",
    "Rev": "Reverend",
    "Capt": "Captain",
    "Sgt": "Sergeant",
    "Lt": "Lieutenant",
    "Gov": "Governor",
    "Sen": "Senator",
    "Rep": "Representative",
    "Pres": "President",
    "Col": "Colonel",
    "Maj": "Major",
    "Atty": "Attorney",
    "Mx": "Mix",
    "St": "Saint",
    "Mt": "Mount",
    "Ft": "Fort",
}
"""What stands before a name, with or without a full stop."""

STREETS = {
    "St": "Street",
    "Dr": "Drive",
    "Ave": "Avenue",
    "Blvd": "Boulevard",
    "Rd": "Road",
    "Ln": "Lane",
    "Ct": "Court",
    "Pl": "Place",
    "Sq": "Square",
    "Ter": "Terrace",
    "Cir": "Circle",
    "Trl": "Trail",
    "Hwy": "Highway",
    "Pkwy": "Parkway",
}
"""Street types after a name."""

DIRECTIONS = {
    "N": "North",
    "S": "South",
    "E": "East",
    "W": "West",
    "NE": "Northeast",
    "NW": "Northwest",
    "SE": "Southeast",
    "SW": "Southwest",
}
"""Parts of a town, beside the name of a street."""

# fmt: off
STATES = {
    "AL": "Alabama", "AK": "Alaska", "AZ": "Arizona", "AR": "Arkansas", "CA": "California", "CO": "Colorado",
    "CT": "Connecticut", "DE": "Delaware", "FL": "Florida", "GA": "Georgia", "HI": "Hawaii", "ID": "Idaho",
    "IL": "Illinois", "IN": "Indiana", "IA": "Iowa", "KS": "Kansas", "KY": "Kentucky", "LA": "Louisiana",
    "ME": "Maine", "MD": "Maryland", "MA": "Massachusetts", "MI": "Michigan", "MN": "Minnesota",
    "MS": "Mississippi", "MO": "Missouri", "MT": "Montana", "NE": "Nebraska", "NV": "Nevada",
    "NH": "New Hampshire", "NJ": "New Jersey", "NM": "New Mexico", "NY": "New York", "NC": "North Carolina",
    "ND": "North Dakota", "OH": "Ohio", "OK": "Oklahoma", "OR": "Oregon", "PA": "Pennsylvania",
    "RI": "Rhode Island", "SC": "South Carolina", "SD": "South Dakota", "TN": "Tennessee", "TX": "Texas",
    "UT": "Utah", "VT": "Vermont", "VA": "Virginia", "WA": "Washington", "WV": "West Virginia",
    "WI": "Wisconsin", "WY": "Wyoming",
}
"""States behind the name of a town or before a zip code."""

STATES_OR_WORDS = frozenset(("AK", "CO", "DE", "HI", "ID", "IN", "LA", "MA", "ME", "OH", "OK", "OR", "PA"))
"""States that are so only before a zip code; otherwise a word in capitals ("Yes, OK.")."""

STATES_BEHIND_TOWNS = frozenset(("AK", "CO", "DE", "IN", "MA", "ME", "OH", "OR", "PA"))
"""Those of them that are a state at the end of a phrase, too: "in Salem, OR."."""

DOTTED = {
    "Jr": "Junior", "Sr": "Senior", "Esq": "Esquire", "Ste": "Suite", "Bldg": "Building", "Inc": "Incorporated",
    "Ltd": "Limited", "Corp": "Corporation", "Co": "Company", "Bros": "Brothers", "apt": "apartment",
    "rm": "room", "dept": "department", "govt": "government", "assoc": "association", "asst": "assistant",
    "mgr": "manager",
    "appt": "appointment", "acct": "account", "approx": "approximately", "ext": "extension", "ref": "reference",
    "conf": "confirmation", "tel": "telephone", "attn": "attention", "est": "estimated", "min": "minimum",
    "max": "maximum", "avg": "average", "doz": "dozen", "Hwy": "Highway", "Blvd": "Boulevard",
    "Pkwy": "Parkway", "hr": "hour", "wk": "week", "yr": "year", "qtr": "quarter", "Flr": "Floor", "Fl": "Floor",
    "qty": "quantity", "misc": "miscellaneous", "incl": "including", "bal": "balance", "addr": "address",
    "pmt": "payment", "ea": "each", "excl": "excluding",
    "mins": "minutes", "hrs": "hours", "yrs": "years", "vs": "versus", "etc": "et cetera", "mo": "month",
    "Mon": "Monday", "Tues": "Tuesday", "Tue": "Tuesday", "Wed": "Wednesday", "Weds": "Wednesday", "Thurs": "Thursday",
    "Thu": "Thursday", "Fri": "Friday", "Jan": "January", "Feb": "February", "Mar": "March", "Apr": "April",
    "Jun": "June", "Jul": "July", "Aug": "August", "Sep": "September", "Sept": "September", "Oct": "October",
    "Nov": "November", "Dec": "December",
}
"""Short forms that are such only with a full stop: "min" and "est" are words too; small ones may be capitalised."""

UNDOTTED = {
    "Ste": "Suite", "Bldg": "Building", "apt": "apartment", "vs": "versus", "appt": "appointment",
    "acct": "account", "dept": "department", "approx": "approximately", "attn": "attention", "qty": "quantity",
    "appts": "appointments", "Hwy": "Highway", "Blvd": "Boulevard", "Pkwy": "Parkway",
    "Tues": "Tuesday", "Weds": "Wednesday", "Thurs": "Thursday",
    "btw": "by the way", "hr": "hour", "hrs": "hours", "wk": "week", "wks": "weeks", "yr": "year", "yrs": "years",
    "qtr": "quarter", "mmHg": "millimeters of mercury", "rm": "room", "asap": "A S A P", "aka": "A K A", "fyi": "F Y I",
}
"""Short forms that need no full stop and are no other word; small ones may be capitalised."""
# fmt: on

SYMBOLS = {
    "AT&T": "A T and T",
    "w/out": "without",
    "w/in": "within",
    "w/o": "without",
    "w/": "with ",
    "b/w": "between",
    "b/c": "because",
    "c/o": "care of",
    "&": " and ",
    "+": " plus ",
    "=": " equals ",
    "@": " at ",
    "#": " number ",
    "§": " section ",
    "%": " percent ",
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
    "IV", "PT", "OT", "UTI", "ADHD", "PTSD", "DOT", "EPA", "ICE", "DUI", "AAA", "AARP", "HDMI", "IMEI", "USCIS",
    "UTC", "GMT", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT", "IVF", "OTC", "CEU", "GPA", "ESL",
    "AKA", "EIN", "SSID", "NAACP", "ACLU", "ASPCA", "COPD", "SUVS",
))
"""Capitals that are read letter by letter, although they could be a word."""

SAID = frozenset((
    "FEMA", "NASA", "HIPAA", "COBRA", "COVID", "AIDS", "PIN", "PINS", "SIM", "WIC", "SNAP", "RAM", "LASIK",
    "NATO", "OSHA", "MEDICARE", "ZIP", "CHIP", "FAFSA", "STEM", "GIF", "LAN", "WAN", "ROM",
))
"""Capitals that are read as a word."""

SHOUTED = frozenset((
    "NO", "YES", "NOT", "NOW", "WHY", "HOW", "WHO", "ALL", "AND", "ANY", "ARE", "BUT", "CAN", "DID", "FOR",
    "GET", "GOT", "HAD", "HAS", "HER", "HIM", "HIS", "ITS", "LET", "MAY", "ME", "MY", "NEW", "OFF", "OH",
    "OLD", "ONE", "OUR", "OUT", "OWE", "PAY", "SAY", "SEE", "SHE", "SO", "THE", "TO", "TOO", "TRY", "TWO",
    "UP", "USE", "WAS", "WAY", "WE", "YOU", "YET", "AN", "AS", "AT", "BE", "BY", "DO", "GO", "HE", "IF",
    "IN", "IS", "OF", "ON", "OR", "HEY", "UH", "UM", "AH", "STOP", "WANT", "END", "HELP", "TEN", "SIX",
))
"""Short words that are capitals for emphasis only."""

STARTERS = frozenset((
    "A", "All", "And", "Are", "As", "At", "But", "By", "Can", "Could", "Did", "Do", "Does", "For", "He", "Her",
    "His", "How", "I", "I'd", "I'll", "I'm", "I've", "If", "In", "Is", "It", "It'll", "It's", "Let", "May", "My",
    "No", "Now", "Of", "On", "Or", "Our", "Please", "She", "So", "Thank", "Thanks", "That", "That's", "The",
    "Then", "There", "They", "They're", "This", "To", "We", "We'll", "We're", "We've", "Well", "What", "When",
    "Where", "Which", "Who", "Will", "With", "Would", "Yes", "You", "You'll", "You're", "Your",
))
"""Capitalised words that begin a sentence rather than carry on a name."""
# fmt: on
