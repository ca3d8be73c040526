// Lists, creates, switches to and deletes local branches. Only listing runs unasked.
import { phrase, ToolError, visibleLine } from '@codelab/protocol';
import * as z from 'zod/mini';
import type { BranchChange } from '../../git/branch.ts';
import { defineTool, type PlanContext, type Planned } from '../../tool/define-tool.ts';

const Input = () =>
  z.strictObject({
    action: z._default(z.enum(['list', 'create', 'switch', 'delete']), 'list'),
    name: z.optional(z.string()),
    from: z.optional(z.string()),
  });

const Branch = () => z.strictObject({ name: z.string(), hash: z.string(), current: z.boolean() });
const Output = () =>
  z.strictObject({
    current: z.nullable(z.string()),
    branches: z.optional(z.array(Branch())),
    truncated: z.optional(z.boolean()),
    created: z.optional(z.string()),
    deleted: z.optional(z.string()),
  });

type Data = z.infer<ReturnType<typeof Output>>;

export const gitBranchTool = defineTool<z.infer<ReturnType<typeof Input>>, Data, BranchChange | undefined>({
  name: 'git.branch',
  kind: 'execute',
  summary: 'List local branches, or create, switch to or delete one.',
  input: Input,
  output: Output,

  async plan({ action, name, from }, context) {
    if (action === 'list') return listing();
    if (name === undefined)
      throw new ToolError('INVALID_ARGUMENTS', `Give the \`name\` of the branch to ${action}.`, {
        field: 'name',
      });
    if (from !== undefined && action !== 'create')
      throw new ToolError('INVALID_ARGUMENTS', '`from` is only for the action "create".', {
        field: 'from',
      });
    const { planBranch } = await import('../../git/branch.ts');
    return await planBranch({ action, name, from }, context);
  },

  async run(_input, change, context) {
    if (change === undefined) return { data: await list(context), effects: [] };
    const { changeBranch } = await import('../../git/branch.ts');
    return { data: await changeBranch(change, context), effects: [] };
  },

  tell: ({ current, branches, truncated, created, deleted }) =>
    [
      ...(created === undefined ? [] : [`Created ${visibleLine(created)}.`]),
      ...(deleted === undefined ? [] : [`Deleted ${visibleLine(deleted)}.`]),
      current === null ? 'No branch is checked out.' : `On branch ${visibleLine(current)}.`,
      ...(branches ?? []).map(({ name, hash }) => `${hash.slice(0, 7)} ${visibleLine(name)}`),
      ...(truncated === true ? ['[…more]'] : []),
    ].join('\n'),
});

function listing(): Planned<undefined> {
  return {
    plan: {
      summary: phrase('plan.listBranches'),
      risk: 'low',
      riskReason: phrase('risk.onlyNames'),
      touches: [],
      notes: [],
      basis: [],
    },
    kind: 'read',
    intents: [],
    prepared: undefined,
  };
}

async function list({ workspace, limits, signal }: PlanContext): Promise<Data> {
  const [{ readBranches }, { readHead }] = await Promise.all([
    import('../../git/read/read-head.ts'),
    import('../../git/read/read-head.ts'),
  ]);
  const [branches, { branch }] = await Promise.all([
    readBranches(workspace, signal),
    readHead(workspace, signal),
  ]);
  const page = branches.slice(0, limits.listEntries);
  return { current: branch, branches: page, ...(page.length < branches.length ? { truncated: true } : {}) };
}
