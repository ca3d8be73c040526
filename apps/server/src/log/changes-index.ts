// Finds the calls that changed files without reading all others: an index of nothing but their entries.

/** A query uses the index only when it asks in these very words. */
export const isChange = `json LIKE '{"type":"call.finished"%' AND json LIKE '%"effects":[{%'`;

export const changesIndex = `CREATE INDEX changes ON events (time, seq, session) WHERE ${isChange};`;
