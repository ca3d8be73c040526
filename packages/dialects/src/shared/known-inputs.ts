// The JSON Schemas of codelab's inputs, as far as they are known without making them: the build writes them in here, since making them
// costs an agent a fifth of its start-up. From source none are known.

export const knownInputs: Readonly<Record<string, unknown>> = {};
