// Unstaged changes of files, or, with `staged`, the content of the next commit.
import { phrase } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../../tool/define-tool.ts';

const Input = () =>
  z.strictObject({ path: z._default(z.string(), '.'), staged: z._default(z.boolean(), false) });

const Output = () =>
  z.strictObject({
    diff: z.string(),
    files: z.int(),
    /** Some file is not UTF-8, so the diff has replacement characters. */
    lossy: z.boolean(),
    /** Changed files that may hold secrets: each is shown only when it is named and a human approves. */
    left_out: z.optional(z.array(z.string())),
  });

export const gitDiffTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  z.infer<ReturnType<typeof Output>>
>({
  name: 'git.diff',
  kind: 'read',
  summary: 'Show unstaged changes as a unified diff, or with staged those of the next commit.',
  input: Input,
  output: Output,

  // The diff is read while planning, because the rules must judge every file in it before anybody sees it.
  async plan({ path: requestedPath, staged }, { workspace, limits, signal }) {
    const { diffTooLarge, readGitDiff, withoutSecrets } = await import('../../git/read/read-diff.ts');
    using place = workspace.locate(requestedPath, {
      followLast: false,
      access: 'read',
      pathChars: limits.pathChars,
    });
    const sides = staged ? 'staged' : 'unstaged';
    const maxBytes = limits.diffBytes;
    const { found, leftOut } = await withoutSecrets(place.path, (paths) =>
      readGitDiff({ workspace, signal, sides, paths, maxBytes }),
    );
    if (found.isCut) throw diffTooLarge(maxBytes);
    if (place.stat === undefined && found.paths.length + leftOut.length === 0) {
      const { refuseMissing } = await import('../../git/refuse-paths.ts');
      await refuseMissing({ workspace, signal, absent: [{ asked: requestedPath, path: place.path }] });
    }
    return {
      plan: {
        summary: phrase(sides === 'staged' ? 'plan.gitDiffStaged' : 'plan.gitDiffUnstaged', {
          path: place.path,
        }),
        risk: 'low',
        riskReason: phrase('risk.onlyReads'),
        touches: [{ asked: requestedPath, path: place.path, access: 'read' }],
        notes: [],
        basis: [],
      },
      within: found.paths.map((path) => ({ asked: path, path, access: 'read' })),
      intents: [],
      prepared: {
        diff: found.text,
        files: found.paths.length,
        lossy: found.isLossy,
        ...(leftOut.length > 0 && { left_out: leftOut }),
      },
    };
  },

  run: (_input, data) => ({ data, effects: [] }),

  tell({ diff, left_out: leftOut = [] }) {
    if (leftOut.length === 0) return diff === '' ? 'Nothing has changed.' : diff;
    return `${diff}Left out, because they may hold secrets: ${leftOut.join(', ')}. Name one as path to ask for it.`;
  },
});
