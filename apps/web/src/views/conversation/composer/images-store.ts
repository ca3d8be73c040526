// The images that go along with the next message of each session.
import { create } from 'zustand';
import { remembered } from '../../../remembered.ts';

export type AttachedImage = { id: string; name: string; mediaType: string; data: string };

type Attached = Readonly<Record<string, readonly AttachedImage[]>>;

export const useAttachedImages = create<{ of: Attached }>(() => ({ of: {} }));

/** Sessions whose images are kept by this browser. */
export const keptImages = remembered<string[]>('images', [], Array.isArray);

export function attachedImagesOf(session: string): readonly AttachedImage[] {
  return useAttachedImages.getState().of[session] ?? [];
}
