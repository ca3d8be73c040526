// The attacker of the race tests: swaps a directory for a link to outside, back and forth, as fast as it can, until killed.
// Arguments: the directory, the outside directory. Prints a line once it is at work.
import { renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';

const [directory = '', outside = ''] = process.argv.slice(2);
process.stdout.write('swapping\n');
for (;;) {
  renameSync(directory, `${directory}.real`);
  insist(() => symlinkSync(outside, directory));
  unlinkSync(directory);
  insist(() => renameSync(`${directory}.real`, directory));
}

// A tool may have recreated the directory in between; it is removed again.
function insist(step: () => void): void {
  for (;;) {
    try {
      step();
      return;
    } catch {
      removeQuietly();
    }
  }
}

function removeQuietly(): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    // The folder got a new entry; the next round removes it.
  }
}
