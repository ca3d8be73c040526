// One call of the agent in a line: what it does, its state, and its result behind a click.
import { visible, visibleLine } from '@codelab/protocol';
import { type CallModel, CallStateMark, kindIcons } from '@codelab/web';
import { postToExtension } from './store.ts';
import { useWords } from './words.ts';

const maxShown = 4000;

export function CallRow({ call }: { call: CallModel }) {
  const words = useWords();
  const { call: toolCall, plan, outcome, state } = call;
  const Icon = kindIcons[kindOf(toolCall.tool)];
  const output = outputOf(call);
  const path = typeof toolCall.args.path === 'string' ? toolCall.args.path : undefined;
  return (
    <details className="group rounded-base border border-line bg-surface">
      <summary className="flex list-none items-center gap-2 px-2 py-1">
        <Icon aria-hidden className="size-3.5 shrink-0 text-muted" />
        <span className="min-w-0 flex-1 truncate" title={visibleLine(plan?.summary ?? toolCall.tool)}>
          {titleOf(call)}
        </span>
        <CallStateMark state={state} />
      </summary>
      <div className="flex flex-col gap-1 border-t border-line px-2 py-1 text-small">
        {outcome !== undefined && outcome.status !== 'completed' && (
          <p className="text-bad wrap-anywhere">{visibleLine(outcome.error.message)}</p>
        )}
        {path !== undefined && (
          <button
            type="button"
            className="self-start text-accent hover:underline"
            onClick={() => postToExtension({ type: 'openFile', path })}
          >
            {visibleLine(path)}
          </button>
        )}
        {output !== '' && <span className="sr-only">{words.output}</span>}
        {output !== '' && (
          <pre className="max-h-64 overflow-auto font-mono text-small whitespace-pre-wrap wrap-anywhere">
            {visible(output)}
          </pre>
        )}
      </div>
    </details>
  );
}

function titleOf({ call: { tool, args } }: CallModel): string {
  const words = Array.isArray(args.args) ? args.args.map(String) : [];
  if (typeof args.command === 'string') return visibleLine([args.command, ...words].join(' '));
  return visibleLine(typeof args.path === 'string' ? `${tool} ${args.path}` : tool);
}

function outputOf({ outcome, output = '' }: CallModel): string {
  if (outcome?.status !== 'completed') return output.slice(-maxShown);
  const { stdout, stderr, content, diff } = outcome.data;
  const firstText = [stdout, stderr, content, diff].find(
    (value) => typeof value === 'string' && value !== '',
  );
  return typeof firstText === 'string' ? firstText.slice(0, maxShown) : '';
}

function kindOf(tool: string): keyof typeof kindIcons {
  if (tool === 'write_file') return 'edit';
  if (tool === 'execute_command') return 'execute';
  return tool.startsWith('todo') ? 'think' : tool === 'prompt_user' ? 'ask' : 'read';
}
