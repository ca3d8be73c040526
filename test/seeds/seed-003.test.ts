// Plays the cases of seed 003 over every wire that carries them.
import { playSeed } from './seed-case.ts';
import { seedCases } from './table.ts';

playSeed('003', seedCases['003']);
