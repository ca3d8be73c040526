// Plays the cases of seed 004 over every wire that carries them.
import { playSeed } from './seed-case.ts';
import { seedCases } from './table.ts';

playSeed('004', seedCases['004']);
