// One reply of the demo model: what it says, and the calls it makes.
export type DemoStep = { text: string; calls: { tool: string; args: Record<string, unknown> }[] };
