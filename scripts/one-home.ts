/**
 * Proves that what crosses a wire is declared in one place: reads every source below packages/ and apps/ and looks for literals, imports
 * and calls that belong elsewhere. Adding a rule is a row in `rules`. Tests may spell a wire out.
 * Usage: node scripts/one-home.ts [ROOT]
 */
import { globSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { type Node, parseSync, Visitor } from 'oxc-parser';

interface Rule {
  subject: string;
  home: string;
  /** The files to search; all by default. */
  onlyIn?: RegExp;
  /** A text of the program; comments may contain it. */
  text?: RegExp;
  /** A module whose values may not be imported there; types may. */
  imports?: string;
  /** Methods that may not be called with an address. */
  calls?: readonly string[];
  /** Types of messages that may not be made or described; others may wait for them. */
  messages?: readonly string[];
  /** Fields that may not be written or declared; others may read them. */
  fields?: readonly string[];
  /** Files that may, each with the reason. */
  except?: Record<string, string>;
}

const rules: readonly Rule[] = [
  {
    subject: 'the path of a route',
    home: 'packages/api/',
    text: /\/api\/v1\/|\/my\/(?:projects|approvals)\/|^\/tools\/|\/v1\/(?:chat|llm|usage)\b|^\/v1\/models|^\/api\/chat\//,
  },
  {
    subject: 'a route that is not in the table',
    home: 'apps/server/src/http/route.ts',
    onlyIn: /^apps\/server\/src\//,
    calls: ['get', 'post', 'put', 'patch', 'delete', 'all', 'head', 'options'],
    except: { 'apps/server/src/http/routes/web/web-app.ts': 'files of the built page' },
  },
  {
    subject: 'the shape of a route',
    home: 'packages/api/',
    onlyIn: /^(?:apps\/server\/src\/http|apps\/web\/src|packages\/client\/src\/api)\//,
    imports: 'zod/mini',
  },
  {
    subject: 'a message of the socket',
    home: 'packages/dialects/',
    messages: [
      ...['user_message', 'assistant_message', 'agent_status', 'agent_switched', 'context_update'],
      ...['tool_call', 'tool_progress', 'hitl_decision', 'hitl_response', 'plan_decision', 'switch_agent'],
    ],
  },
  {
    subject: 'a field of the socket',
    home: 'packages/dialects/',
    fields: [
      ...['modified_arguments', 'edited_arguments', 'is_final', 'from_agent', 'to_agent', 'redelivered'],
      ...['files_modified', 'matched_text', 'line_content'],
    ],
  },
  {
    subject: 'an event of the plugin’s stream',
    home: 'packages/dialects/',
    messages: [
      ...['tool.approval_request', 'tool.execution_signal', 'tool.result_ack', 'tool.approval_decision'],
      ...['tool_error', 'approval_resolved', 'approval_timeout', 'approval_timeout_warning'],
      ...['message_created', 'message_chunk', 'agent_status_changed', 'task_progress', 'task_completed'],
    ],
  },
  {
    subject: 'a field of the plugin’s stream',
    home: 'packages/dialects/',
    fields: ['tool_type', 'execution_context', 'user_approved', 'estimated_duration_ms'],
  },
  {
    subject: 'a message of Kode',
    home: 'packages/dialects/',
    messages: ['backend_only', 'can_use_tool'],
  },
  {
    subject: 'a field of Kode',
    home: 'packages/dialects/',
    fields: ['decision_reason', 'stdoutLines', 'stderrLines', 'editsApplied', 'isNewSession'],
  },
];

const root = resolve(process.argv[2] ?? join(import.meta.dirname, '..'));
const files = globSync('{packages,apps}/*/src/**/*.{ts,tsx}', { cwd: root })
  .map((file) => file.replaceAll(sep, '/'))
  .filter((file) => !/\.test\.tsx?$/.test(file));
const problems = files.flatMap(problemsIn);

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`one home: ${rules.length} rules hold in ${files.length} files`);

function problemsIn(file: string): string[] {
  const applicable = rules.filter(
    ({ home, onlyIn, except = {} }) =>
      !file.startsWith(home) && !(file in except) && (onlyIn?.test(file) ?? true),
  );
  if (applicable.length === 0) return [];
  const source = readFileSync(join(root, file), 'utf8');
  return findIn(file, source).flatMap((found) =>
    applicable
      .filter((rule) => breaks(rule, found))
      .map(
        ({ subject, home }) =>
          `${file}:${found.line} declares ${subject}: ${found.excerpt}\n  its home is ${home}`,
      ),
  );
}

type Found = { line: number; excerpt: string } & (
  | { kind: 'text' | 'import' | 'message' | 'field'; value: string }
  | { kind: 'call'; method: string; address: string }
);

function breaks(rule: Rule, found: Found): boolean {
  const { text, imports, calls = [], messages = [], fields = [] } = rule;
  switch (found.kind) {
    case 'text':
      return text?.test(found.value) ?? false;
    case 'import':
      return imports === found.value;
    case 'message':
      return messages.includes(found.value);
    case 'field':
      return fields.includes(found.value);
    case 'call':
      return calls.includes(found.method) && found.address.startsWith('/');
  }
}

function findIn(file: string, source: string): Found[] {
  const { program, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const found: Found[] = [];
  const at = ({ start }: Node): number => source.slice(0, start).split('\n').length;
  const addText = (node: Node, value: string): void =>
    void found.push({ kind: 'text', value, line: at(node), excerpt: JSON.stringify(value.slice(0, 80)) });
  const addKey = (node: Node, key: Node): void => {
    const value = keyOf(key);
    if (value !== undefined) found.push({ kind: 'field', value, line: at(node), excerpt: value });
  };
  const addMessage = (node: Node, value: unknown): void => {
    if (typeof value === 'string') found.push({ kind: 'message', value, line: at(node), excerpt: value });
  };
  new Visitor({
    ObjectExpression: (node) => {
      for (const property of node.properties) {
        if (property.type !== 'Property') continue;
        addKey(property, property.key);
        if (keyOf(property.key) === 'type' && property.value.type === 'Literal')
          addMessage(property, property.value.value);
      }
    },
    TSPropertySignature: (node) => {
      addKey(node, node.key);
      const type = node.typeAnnotation?.typeAnnotation;
      if (keyOf(node.key) === 'type' && type?.type === 'TSLiteralType' && type.literal.type === 'Literal')
        addMessage(node, type.literal.value);
    },
    Literal: (node) => typeof node.value === 'string' && addText(node, node.value),
    TemplateElement: (node) => addText(node, node.value.raw),
    ImportDeclaration: (node) => {
      const { value } = node.source;
      if (node.importKind !== 'type') found.push({ kind: 'import', value, line: at(node), excerpt: value });
    },
    CallExpression: (node) => {
      const { callee } = node;
      const [first] = node.arguments;
      const address = first && addressOf(first);
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier' || !address) return;
      const { name: method } = callee.property;
      if (method === 'literal') addMessage(node, address);
      found.push({ kind: 'call', method, address, line: at(node), excerpt: `${method}(${address})` });
    },
  }).visit(program);
  return found;
}

function keyOf(key: Node): string | undefined {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : undefined;
}

/** The beginning of an address, as far as the program says it. */
function addressOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node.type === 'TemplateLiteral' ? node.quasis[0]?.value.raw : undefined;
}
