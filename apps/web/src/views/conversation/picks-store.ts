// Which profile and model the next message goes to; empty is what the session or the gateway has.
import { create } from 'zustand';

export const usePicks = create<{ profile: string; model: string }>(() => ({ profile: '', model: '' }));
