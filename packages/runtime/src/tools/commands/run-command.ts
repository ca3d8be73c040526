// Runs a shell line to its end and returns its output. A line that consists of `apply_patch <<'EOF'` alone is applied as a patch.
import * as z from 'zod/mini';
import type { PreparedCommand } from '../../commands/plan-command.ts';
import { CommandReport, tellCommand } from '../../commands/report-output.ts';
import { shellPatch } from '../../patch/envelope/read-envelope.ts';
import { defineTool } from '../../tool/define-tool.ts';
import { applyPatchTool } from '../edits/apply-patch.ts';

const Input = () =>
  z.strictObject({
    command: z.string().check(z.minLength(1)),
    cwd: z._default(z.string(), '.'),
    timeout_ms: z.optional(z.int().check(z.positive())),
    env: z._default(z.record(z.string(), z.string()), {}),
    network: z._default(z.boolean(), false),
    sandbox: z._default(z.enum(['auto', 'off']), 'auto'),
    forbidden: z.optional(z.array(z.string())),
    /** Text for the standard input of the line; hooks use it, and no wire offers it. */
    input: z.optional(z.string()),
  });

/** The shell line to run, or the planned patch when the line is one. */
type Prepared = { line: PreparedCommand } | { patch: unknown; diff: string };

export const runCommandTool = defineTool<z.infer<ReturnType<typeof Input>>, CommandReport, Prepared>({
  name: 'run_command',
  kind: 'execute',
  summary: 'Run a shell line in the workspace, without input, and return what it printed and its exit code.',
  input: Input,
  output: CommandReport,
  async plan({ command, ...options }, context) {
    const diff = context.hasNoFiles ? undefined : shellPatch(command, options.cwd);
    if (diff !== undefined) {
      const planned = await applyPatchTool.plan(patchOf(diff), context);
      return {
        ...planned,
        kind: 'edit',
        sameAs: applyPatchTool.name,
        prepared: { patch: planned.prepared, diff },
      };
    }
    const { planLine } = await import('../../commands/plan-line.ts');
    const planned = await planLine(command, { ...options, hosts: context.hosts }, context);
    return { ...planned, prepared: { line: planned.prepared } };
  },

  async run({ command, timeout_ms }, prepared, context) {
    if ('patch' in prepared) {
      const { data, effects } = await applyPatchTool.run(patchOf(prepared.diff), prepared.patch, context);
      return { data: printed(`${applyPatchTool.tell(data)}\n`), effects };
    }
    const { runPlannedCommand: run } = await import('../../commands/run-command.ts');
    return await run(['/bin/sh', '-c', command], prepared.line, timeout_ms, context);
  },

  narrow(input, prepared, choice) {
    if (!('patch' in prepared)) return input;
    const { diff } = applyPatchTool.narrow?.(patchOf(prepared.diff), prepared.patch, choice) ?? {};
    return { ...input, cwd: '.', command: `apply_patch <<'END_OF_PATCH'\n${diff}\nEND_OF_PATCH` };
  },

  async recover(dead) {
    const { effectsAfterCrash } = await import('../../commands/effects-after-crash.ts');
    return await effectsAfterCrash(dead);
  },

  tell: tellCommand,
});

function patchOf(diff: string): { diff: string; dry_run: boolean; strict: boolean } {
  return { diff, dry_run: false, strict: false };
}

function printed(stdout: string): CommandReport {
  return {
    stdout,
    stderr: '',
    exit_code: 0,
    duration_ms: 0,
    timed_out: false,
    truncated: false,
    stdout_bytes: Buffer.byteLength(stdout),
    stderr_bytes: 0,
    held_back: [],
  };
}
