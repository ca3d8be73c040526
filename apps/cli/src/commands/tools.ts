// `codelab tools`: the tools of a role, with their kinds and arguments.
import '../shared.ts';
import { visibleLine } from '@codelab/protocol';
import { toolSetVersion } from '@codelab/runtime';
import {
  chooseDialect,
  chooseProfile,
  commonOptions,
  defineCommand,
} from '../command-line/define-command.ts';
import { writeText } from '../command-line/process.ts';
import { type Paint, paintFor, riskStyle } from '../output/paint.ts';
import { columns, displayWidth, hangText, screenWidth } from '../output/text-width.ts';
import { type ListedTool, listTools } from '../tool-call/list-tools.ts';

const { dialect, profile, json, workspace } = commonOptions;

export const tools = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Lists the tools with name, kind, usual risk and summary. --json adds the JSON Schemas of input and output, and the version of the set.
A single call can have a higher risk; \`codelab policy check\` shows it. A dialect may rename or omit fields of the output.`,
  options: { dialect, profile, json, workspace },
  examples: ['codelab tools', 'codelab tools --dialect plugin --json'],
  async run({ options }) {
    const roles = await chooseProfile(options.profile, options.workspace);
    const tools = listTools(chooseDialect(options.dialect), roles);
    if (options.json) {
      writeText(1, `${JSON.stringify({ version: toolSetVersion, tools: tools })}\n`);
      return 0;
    }
    writeText(1, listText(tools, paintFor(1)));
    return 0;
  },
});

function listText(tools: readonly ListedTool[], paint: Paint): string {
  const labels = columns(
    tools.map(({ name, kind, risk }) => [
      paint('bold', visibleLine(name)),
      kind,
      paint(riskStyle(risk), risk),
      '',
    ]),
  );
  const width = Math.max(...labels.map(displayWidth)) + 2;
  const lines = tools.flatMap(({ summary, input }, i) => {
    const label = labels[i] ?? '';
    return [
      ...hangText(label + ' '.repeat(width - displayWidth(label)), summary, screenWidth()),
      ...hangText(' '.repeat(width), fields(input), screenWidth()).map((line) => paint('dim', line)),
    ];
  });
  return `${lines.join('\n')}\n`;
}

/** The names of the arguments; optional ones have a question mark. */
function fields(schema: Record<string, unknown>): string {
  const { properties = {}, required = [] } = schema as { properties?: object; required?: string[] };
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .join(', ');
}
