// How many files the model sees at every turn.
import { useSession } from '../../session/session-store.ts';

export function useContextCount(): number {
  return useSession(({ contextFiles }) => contextFiles.length);
}
