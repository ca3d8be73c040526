// The JSON Schemas of codelab's inputs that are known without building them: the build inserts them here, because building them
// costs an agent a fifth of its start-up. From source none are known.

export const knownInputs: Readonly<Record<string, unknown>> = {};
