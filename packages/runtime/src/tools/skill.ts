// Lists skills, or loads one: the text of its SKILL.md, which the model then follows.
import { type Phrase, phrase, ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import { digest } from '../platform/digest.ts';
import { type LoadedSkill, listSkills, loadSkill } from '../skills/skill.ts';
import { defineTool, type PlanContext, type Planned } from '../tool/define-tool.ts';
import type { Profile } from '../tool/profile.ts';

const Input = () => z.strictObject({ action: z.enum(['list', 'load']), name: z.optional(z.string()) });

const About = () =>
  z.strictObject({ name: z.string(), description: z.string(), source: z.enum(['workspace', 'user']) });
const Output = () =>
  z.union([
    z.strictObject({ items: z.array(About()), count: z.int(), problems: z.array(z.string()) }),
    z.strictObject({
      name: z.string(),
      description: z.string(),
      source: z.enum(['workspace', 'user']),
      content: z.string(),
      files: z.array(z.string()),
    }),
  ]);
type Data = z.infer<ReturnType<typeof Output>>;

export const skillTool = defineTool<z.infer<ReturnType<typeof Input>>, Data, LoadedSkill | undefined>({
  name: 'skill',
  kind: 'read',
  summary: 'List the skills there are, or load one by its name: instructions on how something is done here.',
  input: Input,
  output: Output,
  plan({ action, name }, context) {
    if (action === 'list')
      return { plan: planOf(phrase('plan.listSkills')), intents: [], prepared: undefined };
    if (name === undefined)
      throw new ToolError('INVALID_ARGUMENTS', '`name` is missing: which skill?', { field: 'name' });
    return planLoad(name, context);
  },
  run(_input, found, context) {
    if (found !== undefined) {
      const { path: _, ...data } = found;
      return { data, effects: [] };
    }
    const { skills, problems } = listSkills(context, (path) => context.isDenied('skill', path));
    const items = skills.map(({ path: _, ...facts }) => facts);
    return { data: { items, count: items.length, problems }, effects: [] };
  },
  tell(data) {
    if ('content' in data) return tellSkill(data);
    const lines = data.items.map(({ name, description }) => `${name}: ${description}`);
    return [...lines, ...data.problems].join('\n') || 'There are no skills.';
  },
});

function planOf(summary: Phrase): Planned<undefined>['plan'] {
  return { summary, risk: 'low', riskReason: phrase('risk.onlyReads'), touches: [], notes: [], basis: [] };
}

function planLoad(name: string, context: PlanContext): Planned<LoadedSkill> {
  const skill = loadSkill(context, name, context.signal);
  const { source, path, description, content } = skill;
  const isForeign = source === 'workspace';
  const plan: Planned<LoadedSkill>['plan'] = {
    ...planOf(phrase('plan.loadSkill', { name })),
    notes: [
      description,
      isForeign
        ? phrase('note.skillSize', { count: content.length, path })
        : phrase('note.skillOwn', { count: content.length }),
    ],
    touches: isForeign ? [{ asked: path, path, access: 'read' }] : [],
    // The approval is bound to this text.
    basis: [{ path: isForeign ? path : `skill:${name}`, print: digest(content) }],
  };
  const caution = isForeign && canChange(context.roles) ? phrase('call.skill') : undefined;
  return { plan, intents: [], caution, prepared: skill };
}

function canChange(roles: readonly Profile[]): boolean {
  return roles.every(({ kinds }) =>
    (['edit', 'delete', 'move', 'execute'] as const).some((kind) => kinds.includes(kind)),
  );
}

function tellSkill({ name, content, files }: Extract<Data, { content: string }>): string {
  const fileList = files.length === 0 ? [] : [`Files of this skill:\n${files.join('\n')}`];
  // The front matter of a SKILL.md is for CodeLab; a model gets the text after it.
  const body = content.replace(/^---\r?\n[\s\S]*?\n---[ \t]*\r?\n/, '').trim();
  return [`<skill name=${JSON.stringify(name)}>\n${body}\n</skill>`, ...fileList].join('\n\n');
}
