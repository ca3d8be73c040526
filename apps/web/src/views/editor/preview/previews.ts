// Files that have a preview, and those whose preview is shown now.
import { create } from 'zustand';

export type PreviewKind = 'svg' | 'markdown';

/** Undefined: only the text can be shown. */
export function previewOf(path: string): PreviewKind | undefined {
  if (/\.svg$/i.test(path)) return 'svg';
  return /\.(md|mdx|markdown)$/i.test(path) ? 'markdown' : undefined;
}

/** A picture has no text to edit. */
export function isPicture(path: string): boolean {
  return /\.(png|jpe?g|gif|webp)$/i.test(path);
}

const usePreviews = create<{ paths: ReadonlySet<string> }>(() => ({ paths: new Set() }));

export function useIsPreview(path: string): boolean {
  return usePreviews(({ paths }) => paths.has(path));
}

export function togglePreview(path: string): void {
  usePreviews.setState(({ paths }) => {
    const next = new Set(paths);
    if (!next.delete(path)) next.add(path);
    return { paths: next };
  });
}
