// Anchors: places of the user's choice, out of reach of an attacker who controls this machine, that receive the latest seal.
import * as z from 'zod/mini';

const AbsolutePath = () => z.string().check(z.regex(/^\//));

// Refs that people and git itself work with are excluded, because an anchor would move them.
const RefName = () =>
  z.string().check(z.regex(/^refs\/(?!heads\/|tags\/|remotes\/|stash$)[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)+$/));

const FileAnchor = () => z.strictObject({ file: AbsolutePath() });
const GitAnchor = () => z.strictObject({ git_ref: RefName(), repository: AbsolutePath() });
const UrlAnchor = () =>
  z.strictObject({ url: z.string().check(z.regex(/^https?:\/\/[^\s/@?#]+([/?#]\S*)?$/)) });

export const Anchor = () => z.union([FileAnchor(), GitAnchor(), UrlAnchor()]);
export type Anchor = z.infer<ReturnType<typeof Anchor>>;

/** An anchor as written in a configuration, where a ref without a repository is one of the workspace's. */
export const AnchorSetting = () =>
  z.union([
    FileAnchor(),
    z.strictObject({ git_ref: RefName(), repository: z.optional(AbsolutePath()) }),
    UrlAnchor(),
  ]);
type AnchorSetting = z.infer<ReturnType<typeof AnchorSetting>>;

/** Without a workspace, git refs without a repository are left out. */
export function anchorsFor(settings: readonly AnchorSetting[], root: string | undefined): Anchor[] {
  return settings.flatMap((setting): Anchor[] => {
    if (!('git_ref' in setting)) return [setting];
    const repository = setting.repository ?? root;
    return repository === undefined ? [] : [{ git_ref: setting.git_ref, repository }];
  });
}

/** The name without any secret of the address. */
export function anchorName(anchor: Anchor): string {
  if ('file' in anchor) return `file ${anchor.file}`;
  if ('git_ref' in anchor) return `ref ${anchor.git_ref} of ${anchor.repository}`;
  return anchor.url.replace(/[?#].*$/s, '');
}

/** One line in the file of an anchor. */
const AnchorLine = () =>
  z.object({
    log: z.string(),
    n: z.int(),
    hash: z.string(),
    time: z.int(),
    key: z.string(),
    signature: z.string(),
  });
export type AnchorLine = z.infer<ReturnType<typeof AnchorLine>>;

/** Lines of others, and those that were cut short, are no seals. */
export function readAnchorLines(text: string, log: string): AnchorLine[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      const parsed = AnchorLine().safeParse(JSON.parse(line));
      return parsed.success && parsed.data.log === log ? [parsed.data] : [];
    } catch {
      return [];
    }
  });
}
