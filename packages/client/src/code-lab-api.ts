// The gateway's REST API as typed methods: what an editor plugin needs (seed 002), and everything the web IDE does.
import { loginCall, policyCalls, settingCalls, usageCalls } from './api/control-calls.ts';
import { checkAnswer, createRequester, type RequesterOptions } from './api/requester.ts';
import {
  approvalCalls,
  auditCalls,
  gatewayCalls,
  participationCalls,
  screenCalls,
  sessionCalls,
} from './api/session-calls.ts';
import { toolCalls } from './api/tool-calls.ts';
import {
  changeCalls,
  fileCalls,
  processCalls,
  reviewCalls,
  terminalCalls,
  worktreeCalls,
} from './api/workspace-calls.ts';

export type ApiOptions = RequesterOptions & {
  /** A gateway has one workspace, so every project names that workspace. */
  project?: string;
};

type Of<T extends (...args: never[]) => object> = ReturnType<T>;
type Tools = Of<typeof toolCalls>;
type Part = Of<typeof participationCalls>;

export class CodeLabAPI {
  readonly executeTool: Tools['executeTool'];
  readonly availableTools: Tools['availableTools'];
  readonly toolStatus: Tools['toolStatus'];
  readonly sendToolResult: Tools['sendToolResult'];
  readonly approveToolExecution: Tools['approveToolExecution'];
  readonly rejectToolExecution: Tools['rejectToolExecution'];
  readonly chats: Tools['chats'];

  readonly sendMessage: Part['sendMessage'];
  readonly cancel: Part['cancel'];
  readonly continue: Part['continue'];
  readonly resume: Part['resume'];
  readonly compact: Part['compact'];
  readonly decide: Part['decide'];
  readonly call: Part['call'];

  readonly sessions: Of<typeof sessionCalls>;
  readonly approvals: Of<typeof approvalCalls>;
  readonly screen: Of<typeof screenCalls>;
  readonly files: Of<typeof fileCalls>;
  readonly changes: Of<typeof changeCalls>;
  readonly review: Of<typeof reviewCalls>;
  readonly processes: Of<typeof processCalls>;
  readonly terminals: Of<typeof terminalCalls>;
  readonly worktrees: Of<typeof worktreeCalls>;
  readonly audit: Of<typeof auditCalls>;
  readonly policy: Of<typeof policyCalls>;
  readonly settings: Of<typeof settingCalls>;
  readonly usage: Of<typeof usageCalls>;
  readonly catalogue: Of<typeof gatewayCalls>;
  readonly login: ReturnType<typeof loginCall>;

  constructor(options: ApiOptions = {}) {
    const requester = createRequester(options, checkAnswer);
    const tools = toolCalls(requester, options.project ?? 'default');
    this.executeTool = tools.executeTool;
    this.availableTools = tools.availableTools;
    this.toolStatus = tools.toolStatus;
    this.sendToolResult = tools.sendToolResult;
    this.approveToolExecution = tools.approveToolExecution;
    this.rejectToolExecution = tools.rejectToolExecution;
    this.chats = tools.chats;
    const part = participationCalls(requester);
    this.sendMessage = part.sendMessage;
    this.cancel = part.cancel;
    this.continue = part.continue;
    this.resume = part.resume;
    this.compact = part.compact;
    this.decide = part.decide;
    this.call = part.call;
    this.sessions = sessionCalls(requester);
    this.approvals = approvalCalls(requester);
    this.screen = screenCalls(requester);
    this.files = fileCalls(requester);
    this.changes = changeCalls(requester);
    this.review = reviewCalls(requester);
    this.processes = processCalls(requester);
    this.terminals = terminalCalls(requester);
    this.worktrees = worktreeCalls(requester);
    this.audit = auditCalls(requester);
    this.policy = policyCalls(requester);
    this.settings = settingCalls(requester);
    this.usage = usageCalls(requester);
    this.catalogue = gatewayCalls(requester);
    this.login = loginCall(requester);
  }
}
