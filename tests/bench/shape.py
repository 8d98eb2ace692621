"""What the measurements share: specs of any size, and the lines that hold a figure against its bar."""

from factory.records.spec import Spec


def scaled(spec: Spec, conversations: int) -> Spec:
    """The demonstration spec at another size, with the same proportions."""
    data = spec.model_dump(mode="json")
    factor = conversations / spec.conversations
    data["conversations"] = conversations
    for part in data["interruptions"].values():
        for key in part:
            part[key] = int(part[key] * factor)
    types, depths = (data["interruptions"][k] for k in ("by_type", "by_depth"))
    low = min(sum(types.values()), sum(depths.values()))
    types["impatient"] -= sum(types.values()) - low
    depths["0-4"] -= sum(depths.values()) - low
    data["variations"] = {"retries": conversations // 10, "hard_stops": conversations // 50}
    return Spec.model_validate(data)


def row(what: str, value: float, bar: float, unit: str = "") -> bool:
    """Prints a figure beside its bar; whether it holds."""
    held = value <= bar
    print(f"{what:<62} {value:>8.3f}{unit}  bar {bar:.2f}  {'holds' if held else 'MISSED'}", flush=True)
    return held
