// Says which limit a command that nobody was asked about went over, and how to get it through.
import { ToolError } from '@codelab/protocol';
import type { Excess, FamilyLimits } from './limit-family.ts';

const settings = { processes: 'processes', memoryBytes: 'memory_mb', cpuMs: 'cpu_seconds' } as const;

export function excessError(excess: Excess, limits: FamilyLimits): ToolError {
  const setting = settings[excess];
  return new ToolError(
    'EXECUTION_FAILED',
    `The command was stopped: it took more than ${amountOf(excess, limits)}, which is the most that runs unasked. Make it take less, ask for it with \`requires_approval\`, or raise limits.${setting} in the configuration.`,
    { limit: setting, most: limits[excess] },
  );
}

function amountOf(excess: Excess, limits: FamilyLimits): string {
  switch (excess) {
    case 'processes':
      return `${limits.processes} processes`;
    case 'memoryBytes':
      return `${Math.round(limits.memoryBytes / 1024 / 1024)} MiB of memory`;
    case 'cpuMs':
      return `${limits.cpuMs / 1000} seconds of processor time`;
  }
}
