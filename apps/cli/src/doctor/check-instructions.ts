// Which instructions agents are told at the start of a session here, and how long they are.
import { rootInstructions } from '@codelab/server/agent';
import { realRoot } from '../command-line/compose-options.ts';
import { instructionRows } from '../instructions/trust-question.ts';
import type { Finding } from './finding.ts';

export async function checkInstructions({
  workspace,
  home,
}: {
  workspace: string;
  home: string;
}): Promise<Finding> {
  const finding = { name: 'instructions', isRequired: false };
  try {
    const found = await rootInstructions(home, realRoot(workspace));
    const rows = instructionRows(found);
    if (rows.length === 0)
      return { ...finding, status: 'missing', found: 'none', advice: '`codelab init` writes an AGENTS.md' };
    const isUsed = found.held.length === 0 && found.problems.length === 0;
    const text = rows.map((row) => row.join(' ')).join(', ');
    const advice = 'told to agents at the start of a session: docs/instructions.md';
    return { ...finding, status: isUsed ? 'ok' : 'missing', found: text, advice };
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error);
    return { ...finding, status: 'broken', found, advice: 'docs/instructions.md' };
  }
}
