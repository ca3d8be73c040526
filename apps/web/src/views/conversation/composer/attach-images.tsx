// Pasted or dropped images: scaled down for a model, shown above the field, and stored in this browser until they are sent.
import { imageLimits, imageTypes } from '@codelab/protocol';
import { X } from 'lucide-react';
import { currentText, useText } from '../../../text/use-text.ts';
import { IconButton } from '../../../ui/button.tsx';
import { toast } from '../../../ui/toast.tsx';
import { type AttachedImage, attachedImagesOf, keptImages, useAttachedImages } from './images-store.ts';

/** No model looks at more pixels than this along the longer side. */
const longestSide = 2000;
/** The limit for all images of a message, as base64: the gateway takes 10 MiB. */
const mostCharacters = 7_500_000;

export async function attach(session: string, files: readonly File[]): Promise<void> {
  const words = currentText().conversation;
  for (const file of files) {
    const image = await readImage(file).catch(() => undefined);
    if (image === undefined) {
      toast(words.imageUnreadable(file.name), { tone: 'bad' });
      continue;
    }
    const all = [...attachedImagesOf(session), image];
    const size = all.reduce((sum, { data }) => sum + data.length, 0);
    if (all.length > imageLimits.count || size > mostCharacters) {
      toast(words.tooManyImages(imageLimits.count), { tone: 'bad' });
      return;
    }
    replaceImages(session, all);
  }
}

export function replaceImages(session: string, images: readonly AttachedImage[]): void {
  useAttachedImages.setState(({ of }) => ({ of: { ...of, [session]: images } }));
  const others = keptImages.read().filter((other) => other !== session);
  keptImages.write(images.length === 0 ? others : [...others, session]);
  void inStore('readwrite', (store) =>
    images.length === 0 ? store.delete(session) : store.put(images, session),
  );
}

export async function restore(session: string): Promise<void> {
  const images = (await inStore('readonly', (store) => store.get(session))) as AttachedImage[] | undefined;
  if (images === undefined || attachedImagesOf(session).length > 0) return;
  useAttachedImages.setState(({ of }) => ({ of: { ...of, [session]: images } }));
}

export function AttachedImages({ session }: { session: string }) {
  const words = useText().conversation;
  const images = useAttachedImages(({ of }) => of[session]) ?? [];
  return (
    <ul aria-label={words.images} className="flex w-full flex-wrap gap-2 px-3 pt-3">
      {images.map(({ id, name, mediaType, data }) => (
        <li key={id} className="relative">
          <img
            src={`data:${mediaType};base64,${data}`}
            alt={name}
            title={name}
            className="h-16 max-w-40 rounded-small border border-line object-cover"
          />
          <span className="absolute -top-2 -right-2 rounded-full bg-raised shadow-raised">
            <IconButton
              icon={X}
              label={words.removeImage(name)}
              onClick={() =>
                replaceImages(
                  session,
                  attachedImagesOf(session).filter((image) => image.id !== id),
                )
              }
            />
          </span>
        </li>
      ))}
    </ul>
  );
}

async function readImage(file: File): Promise<AttachedImage> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
  const isTaken = imageTypes.some((type) => type === file.type);
  const isFit = isTaken && scale === 1 && file.size <= imageLimits.bytes;
  const blob = isFit ? file : await redraw(picture, scale, file.type === 'image/jpeg');
  picture.close();
  return {
    id: crypto.randomUUID(),
    name: file.name || 'image',
    mediaType: blob.type,
    data: await base64Of(blob),
  };
}

async function redraw(picture: ImageBitmap, scale: number, isPhoto: boolean): Promise<Blob> {
  const canvas = new OffscreenCanvas(Math.ceil(picture.width * scale), Math.ceil(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const exact = await canvas.convertToBlob({ type: isPhoto ? 'image/jpeg' : 'image/png', quality: 0.9 });
  return exact.size <= imageLimits.bytes
    ? exact
    : await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.8 });
}

async function base64Of(blob: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(blob);
  return await promise;
}

/** A browser that keeps nothing (private windows) is no error: the images are there until the page is left. */
async function inStore(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  try {
    const opening = indexedDB.open('codelab', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('images');
    const database = (await settled(opening)) as IDBDatabase;
    try {
      return await settled(work(database.transaction('images', mode).objectStore('images')));
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}

async function settled(request: IDBRequest): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
  return await promise;
}
