// A dialect: a table with a row per tool, and two pure functions between wire messages and the neutral model.
import type { ApprovalRequest, Decision, DialectName, Failure, Outcome } from '@codelab/protocol';
import type * as z from 'zod/mini';

export type Json = Record<string, unknown>;

/** How a dialect spells a path that the core gives from the root of the workspace. */
export type PathSpelling = {
  toCore(path: string): string;
  /** A core path in the style of a path that the caller wrote. */
  like(core: string, requested: string): string;
  /** The folder that relative paths start from, as a core path; the workspace's root when undefined. */
  workingDir?: string;
};

/** A call as a peer spelled it, and its meaning in the core. Answers repeat the peer's spelling. */
export type WireCall = {
  id: string;
  wire: { tool: string; args: Json };
  tool: string;
  args: Json;
  requiresApproval: boolean;
  /** The call belongs to a session that continues, so its earlier reads are known. */
  isLasting?: true;
};

/** One row of a dialect's table. */
export type WireTool = {
  /** The name on the wire, and the core tool behind it. */
  name: string;
  tool: string;
  /** Built on demand: a short command needs only one of them. */
  input: () => z.ZodMiniObject;
  /** Arguments that do not match `input`, with fields of other harnesses moved into ours. */
  reshape?(args: Json): Json;
  /** Converts wire arguments, already checked against `input`, to core arguments. */
  toCore(args: Json, session: { isLasting: boolean; isLenient: boolean; paths: PathSpelling }): Json;
  /** Core names of arguments, by their names on the wire. */
  names?: Readonly<Record<string, string>>;
  /** Converts core arguments whose values differ on the wire. */
  fromCore?(args: Json): Json;
  /** Converts the core tool's data to the wire's result; `wireArgs` are the wire arguments, so that the answer has the caller's spelling. */
  toWire(data: Json, wireArgs: Json): Json | string;
  /**
   * Converts the result of a client that ran the call to the core tool's data; `args` are the core's. Missing fields are taken from the
   * arguments, or are empty.
   */
  fromWire?(wireResult: Json, args: Json): Json;
  /** Notes on fields that mean something else on another wire. */
  notes?: Readonly<Record<string, string>>;
  /** No argument of the tool is a path, whatever its name. */
  isPathless?: true;
  /** Beyond the wire's own document: peers may call it, but a client of this wire is not expected to have it. */
  isExtension?: true;
  /** Facts about a result, for a dialect that sends them beside the result. */
  metadata?(data: Json, wireArgs: Json): Json;
  /** Fields about how a call ended, for a tool that can fail and still have a result. */
  ending?(data: Json): Json;
  /** A failure in place of a result, for a dialect that answers so; undefined when the tool did not answer. */
  failed?(error: Failure, wireArgs: Json): Json | string | undefined;
};

export type DialectMessage =
  | { type: 'call'; call: WireCall }
  /** Written only: when a peer sends this form, it is read as a call that requires approval. */
  | { type: 'approval'; asked: WireCall; approval: ApprovalRequest }
  /** The arguments of an edit are in the wire's spelling; `settle` translates them. */
  | { type: 'decision'; callId: string; decision: Decision }
  /** Read from a wire, `data` is the wire's own result and `asked` has only what the message says. */
  | { type: 'result'; asked: Pick<WireCall, 'id' | 'wire'>; outcome: Outcome }
  /** The result so far, before the call has ended. Only dialects with `streams` have a form for it. */
  | { type: 'progress'; asked: Pick<WireCall, 'id' | 'wire'>; data: Json };

export type CallInput = {
  id: string;
  tool: string;
  args: Json;
  requiresApproval?: boolean;
  isLasting?: boolean;
  /** Written by a model: names and forms of other harnesses are accepted where they can have only one meaning. */
  isLenient?: boolean;
};

export type Dialect = {
  name: DialectName;
  tools: readonly WireTool[];
  /** Whether the dialect can report progress. */
  streams: boolean;
  /** Reads a call given by name and arguments; throws TOOL_NOT_FOUND or INVALID_ARGUMENTS. */
  ask(input: CallInput): WireCall;
  /** A core call in this dialect's spelling; a tool without a row keeps its own name and arguments. */
  spell(call: { id: string; tool: string; args: Json; requiresApproval?: boolean | undefined }): WireCall;
  /** A failure of a core tool with this dialect's names of the tool and its arguments. */
  renameFailure(tool: string, error: Failure): Failure;
  /** Converts a decision of this dialect to the core's: the tool's row checks and translates edited arguments. */
  settle(call: Pick<WireCall, 'wire' | 'isLasting'>, decision: Decision): Decision;
  /** Reads any message a peer may send; lenient about spelling. */
  decode(wire: unknown, session?: { isLasting?: boolean }): DialectMessage;
  /** Writes a message strictly in the dialect's own form. */
  encode(message: DialectMessage): Json;
};
