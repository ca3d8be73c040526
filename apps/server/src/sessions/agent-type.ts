// The roles that older gateways knew, by the names of our profiles.
const names: Record<string, string> = {
  orchestrator: 'build',
  coder: 'build',
  code: 'build',
  universal: 'build',
};

export function profileOf(agentType: string): string {
  return Object.hasOwn(names, agentType) ? (names[agentType] ?? agentType) : agentType;
}
