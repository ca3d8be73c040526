// OpenRouter's reasoning blocks, put together from their pieces: they must go back in the form of a whole answer.
type Detail = Record<string, unknown>;

const growing = new Set(['text', 'summary', 'data', 'signature']);

export function mergeDetails(known: readonly Detail[], pieces: readonly unknown[]): Detail[] {
  const merged = known.map((detail) => ({ ...detail }));
  for (const piece of pieces) {
    if (typeof piece !== 'object' || piece === null) continue;
    const detail = piece as Detail;
    const begun = merged.find((one) => one.index === detail.index && one.type === detail.type);
    if (begun === undefined || detail.index === undefined) merged.push({ ...detail });
    else grow(begun, detail);
  }
  return merged;
}

function grow(begun: Detail, piece: Detail): void {
  for (const [key, value] of Object.entries(piece)) {
    const before = begun[key];
    begun[key] =
      growing.has(key) && typeof before === 'string' && typeof value === 'string'
        ? before + value
        : (value ?? before);
  }
}
