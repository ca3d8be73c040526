// Plays the cases of seed 000 over every wire that carries them.
import { playSeed } from './seed-case.ts';
import { seedCases } from './table.ts';

playSeed('000', seedCases['000']);
