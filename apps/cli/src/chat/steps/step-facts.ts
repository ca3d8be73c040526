// Facts of a chat that its steps are drawn with, beside the screen.
import type { TerminalChat } from '../chat.ts';
import { workspaceLinks } from '../markdown/path-links.ts';
import type { CallStepsOptions } from './call-steps.ts';

/** The chat's data for steps: the kinds of tools, and the workspace for paths. */
export function stepFacts({ host }: TerminalChat): Pick<CallStepsOptions, 'kindOf' | 'root' | 'linkOf'> {
  const root = host.workspace.root.real;
  return {
    kindOf: (tool) => host.tools.get(tool)?.kind,
    root: () => root,
    linkOf: workspaceLinks(root, process.env),
  };
}
