// Plays the cases of seed 002 over every wire that carries them.
import { playSeed } from './seed-case.ts';
import { seedCases } from './table.ts';

playSeed('002', seedCases['002']);
