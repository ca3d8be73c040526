// Attaching images to the next message. Reading and keeping them is loaded with the first one.
import { type AttachedImage, attachedImagesOf, keptImages } from './images-store.ts';

/** Whether there was an image among them. */
export function attachFrom(data: DataTransfer, session: string): boolean {
  const files = [...data.files].filter(({ type }) => type.startsWith('image/'));
  if (files.length === 0) return false;
  void import('./attach-images.tsx').then(({ attach }) => attach(session, files));
  return true;
}

export function restoreImages(session: string): void {
  if (attachedImagesOf(session).length > 0 || !keptImages.read().includes(session)) return;
  void import('./attach-images.tsx').then(({ restore }) => restore(session));
}

type Sent = Pick<AttachedImage, 'name' | 'data'>;

/** The images of a message are kept under its id until the gateway has taken it: the next message has its own. */
export function takeImages(session: string, message: string): Sent[] {
  const images = attachedImagesOf(session);
  moveImages(session, message);
  return images.map(({ name, data }) => ({ name, data }));
}

/** The images of a message that a reload left unsent. */
export async function keptImagesOf(message: string): Promise<Sent[]> {
  const { restore } = await import('./attach-images.tsx');
  await restore(message);
  return attachedImagesOf(message).map(({ name, data }) => ({ name, data }));
}

export function clearImages(session: string): void {
  if (attachedImagesOf(session).length > 0)
    void import('./attach-images.tsx').then(({ replaceImages }) => replaceImages(session, []));
}

/** A session that is made by its first message takes over what was attached before there was one. */
export function moveImages(from: string, to: string): void {
  const images = attachedImagesOf(from);
  if (images.length === 0) return;
  void import('./attach-images.tsx').then(({ replaceImages }) => {
    replaceImages(to, images);
    replaceImages(from, []);
  });
}
