// Plays the cases of seed 001 over every wire that carries them.
import { playSeed } from './seed-case.ts';
import { seedCases } from './table.ts';

playSeed('001', seedCases['001']);
