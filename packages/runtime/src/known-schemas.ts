// The JSON Schemas of our own tools' inputs, as far as they are known without making them: the build writes them in here, since making
// them costs an agent a fifth of its start-up. From source none are known.

export const knownSchemas: Readonly<Record<string, unknown>> = {};
