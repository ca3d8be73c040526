// What the client reads of the gateway's answers. Lenient: what is not named here passes as it is.
import type { ApprovalRequest, Outcome, Rule, SessionEvent, Verdict } from '@codelab/protocol';
import * as z from 'zod/mini';

/** Something of the neutral model, known by a few of its fields: a newer gateway may say more. */
function like<T>(...fields: string[]) {
  return z.custom<T>(
    (value) => typeof value === 'object' && value !== null && fields.every((field) => field in value),
  );
}

const text = () => z.string();
const orNull = () => z.nullish(z.string());

const logEntry = () => like<SessionEvent>('seq', 'time', 'body');
export const outcome = () => like<Outcome>('callId', 'status');
const approval = () => like<ApprovalRequest>('id', 'callId', 'tool', 'plan', 'verdict');

export const Session = () =>
  z.looseObject({
    id: text(),
    title: orNull(),
    created_at: orNull(),
    updated_at: orNull(),
    last_seq: z.number(),
    turns: z.optional(z.number()),
    pending_approvals: z.optional(z.number()),
    status: z.optional(text()),
    agent_type: z.optional(text()),
  });
export type Session = z.infer<ReturnType<typeof Session>>;

export const SessionList = () => z.looseObject({ sessions: z.array(Session()), total: z.number() });
export const Log = () => z.looseObject({ events: z.array(logEntry()), last_seq: z.number() });
export const PendingApprovals = () => z.looseObject({ pending_approvals: z.array(approval()) });

export const History = () =>
  z.looseObject({
    messages: z.array(z.looseObject({ role: text(), seq: z.number() })),
    last_seq: z.number(),
  });

/** One call as the plugin's API knows it. */
export const ToolRecord = () =>
  z.looseObject({
    tool_id: text(),
    tool_name: text(),
    status: text(),
    session_id: z.optional(text()),
    requires_approval: z.optional(z.boolean()),
    approval_id: z.optional(text()),
    result: z.optional(z.unknown()),
    error: z.optional(text()),
    error_code: z.optional(text()),
  });
export type ToolRecord = z.infer<ReturnType<typeof ToolRecord>>;

export const AvailableTools = () =>
  z.looseObject({
    tools: z.array(
      z.looseObject({
        name: text(),
        description: text(),
        parameters: z.record(z.string(), z.unknown()),
        requires_approval: z.boolean(),
        risk_level: text(),
        timeout_seconds: z.number(),
      }),
    ),
  });

export const Receipt = () =>
  z.looseObject({ tool_id: z.optional(text()), receipt_status: z.optional(text()), status: text() });

export const Decided = () => z.looseObject({ approval_id: text(), status: z.optional(text()) });

export const RuleProposal = () =>
  z.looseObject({
    rule: z.nullable(like<Rule>('id', 'effect')),
    why: orNull(),
    scopes: z.optional(z.array(text())),
    text: orNull(),
    matches: z.optional(z.array(z.looseObject({ call_id: text(), tool: text(), summary: text() }))),
  });

export const Link = () => z.looseObject({ url: text(), expires_at: z.union([z.string(), z.number()]) });

export const ContextFiles = () =>
  z.looseObject({
    files: z.array(z.looseObject({ path: text() })),
    used_tokens: z.nullish(z.number()),
    window_tokens: z.nullish(z.number()),
  });

export const Todos = () =>
  z.looseObject({ todos: z.array(z.looseObject({ content: text(), status: text() })) });

const ChangedFile = () =>
  z.looseObject({ path: text(), op: text(), added: z.nullish(z.number()), removed: z.nullish(z.number()) });

export const Changes = () =>
  z.looseObject({
    turns: z.array(
      z.looseObject({
        turn: z.nullable(z.number()),
        calls: z.array(
          z.looseObject({ call_id: text(), tool: text(), state: text(), files: z.array(ChangedFile()) }),
        ),
      }),
    ),
  });

export const ChangeDiff = () =>
  z.looseObject({
    files: z.array(
      z.looseObject({ path: text(), op: text(), diff: z.nullish(text()), binary: z.optional(z.boolean()) }),
    ),
  });

export const TakenBack = () =>
  z.looseObject({
    files: z.array(z.looseObject({ path: text(), state: z.optional(text()), why: orNull() })),
    diff: orNull(),
    done: z.optional(z.boolean()),
  });

export const Trash = () =>
  z.looseObject({
    entries: z.array(z.looseObject({ trash_id: text(), path: text(), files: z.number(), bytes: z.number() })),
  });

export const Processes = () =>
  z.looseObject({
    processes: z.array(z.looseObject({ process_id: text(), status: text() })),
    commands: z.optional(z.array(z.looseObject({ call_id: text(), session: text(), command: text() }))),
  });

export const ProcessOutput = () =>
  z.looseObject({ output: text(), cursor: z.union([z.number(), z.string()]), status: z.optional(text()) });

export const Folder = () =>
  z.looseObject({
    path: text(),
    entries: z.array(
      z.looseObject({
        name: text(),
        path: text(),
        type: text(),
        size: z.nullish(z.number()),
        modified: z.nullish(z.union([z.string(), z.number()])),
      }),
    ),
  });

export const FileText = () =>
  z.looseObject({
    path: text(),
    text: text(),
    size: z.number(),
    fingerprint: text(),
    line_ending: orNull(),
    encoding: orNull(),
  });

export const FoundFiles = () => z.looseObject({ files: z.array(text()) });

export const Verified = () =>
  z.looseObject({
    ok: z.boolean(),
    entries: z.number(),
    broken: z.nullish(z.looseObject({ seq: z.number(), why: text() })),
  });

export const UsageReport = () =>
  z.looseObject({
    sessions: z.array(z.looseObject({ id: text() })),
    by_day: z.optional(z.array(z.record(z.string(), z.unknown()))),
  });

export const Settings = () =>
  z.looseObject({
    model: orNull(),
    model_label: orNull(),
    is_demo: z.optional(z.boolean()),
    keys: z.optional(z.record(z.string(), z.boolean())),
    mode: z.optional(text()),
    workspace: orNull(),
    version: orNull(),
    user: orNull(),
  });
export type Settings = z.infer<ReturnType<typeof Settings>>;

export const Models = () =>
  z.looseObject({ models: z.array(z.looseObject({ name: text(), label: orNull() })), current: orNull() });

export const Judged = () => like<Verdict>('verdict', 'risk', 'rule', 'reason');
/** Any object. */
export const Anything = () => z.looseObject({});
