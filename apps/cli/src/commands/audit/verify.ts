// `codelab audit verify`: verifies every link of the record, or names the first broken entry; and reports what the seals prove.
import '../../shared.ts';
import { type Damage, type SessionLog, ToolError } from '@codelab/protocol';
import { isDamage } from '@codelab/runtime';
import type { AnchorCheck, Proof } from '@codelab/server';
import { findSessions } from '../../audit/find-sessions.ts';
import { openLog } from '../../audit/open-log.ts';
import { damageReport, notVerified, type VerifyReport, verifyText } from '../../audit/verify-text.ts';
import { commonOptions, defineCommand, realRoot } from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';
import { paintFor } from '../../output/paint.ts';

const { workspace, json } = commonOptions;

export const auditVerify = defineCommand({
  words: '[SESSION]',
  takes: { min: 0, max: 1 },
  about: `Verifies the whole record, or one session: the hash of every entry, that no entry is missing, every text stored separately, every
seal and its signature, and the anchors. Lists what could not be proven. Exit code 1 names the first broken entry.`,
  options: {
    sealed: { type: 'boolean', summary: 'also fail (exit code 1) when an entry is not covered by a seal' },
    workspace,
    json,
  },
  async run({ words: [id], options }) {
    const report = await verify(id, options.workspace);
    writeText(1, options.json ? `${JSON.stringify(report)}\n` : verifyText(report, paintFor(1)));
    const isEnough = !options.sealed || isProven(report.proof);
    return report.ok && isEnough ? 0 : 1;
  },
});

async function verify(typedId: string | undefined, workspace: string | undefined): Promise<VerifyReport> {
  try {
    await using log = await openLog(realRoot(workspace));
    const id = typedId === undefined ? undefined : await knownId(log, typedId);
    const { damage, proof } = await log.audit(id);
    const anchors = proof === undefined ? [] : await log.anchors();
    const seals = { ...(proof && { proof }), ...(anchors.length > 0 && { anchors }) };
    const broken = damage ?? differing(anchors);
    if (broken !== undefined) return { ok: false, ...broken, ...seals };
    const sessions = await findSessions(log, { id });
    const entries = sessions.reduce((sum, { head }) => sum + head.seq, 0);
    return { ok: true, sessions: sessions.length, entries, ...seals };
  } catch (error) {
    if (error instanceof ToolError && error.code === 'IO_ERROR') throw notVerified(error);
    if (isDamage(error)) return damageReport(error);
    if (!(error instanceof ToolError && error.code === 'LOG_DAMAGED')) throw error;
    return { ok: false, session: typedId ?? '', seq: 0, problem: error.message };
  }
}

/** A damaged log is verified as far as it can be read, so a session is looked up only when the log has none of exactly that name. */
async function knownId(log: SessionLog, typedId: string): Promise<string | undefined> {
  try {
    const [first] = await log.read(typedId, { limit: 1 });
    return first === undefined ? (await findSessions(log, { id: typedId }))[0]?.id : typedId;
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

function differing(anchors: readonly AnchorCheck[]): Damage | undefined {
  const differing = anchors.find(({ status }) => status === 'differs');
  if (differing === undefined) return undefined;
  return {
    session: '',
    seq: 0,
    problem: `The log does not match the anchor ${differing.anchor}. ${differing.problem}`,
  };
}

function isProven(proof: Proof | undefined): boolean {
  if (proof === undefined) return false;
  const { foreign, unsealed } = proof.entries;
  return proof.seals > 0 && foreign + unsealed === 0;
}
