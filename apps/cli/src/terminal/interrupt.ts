// Ctrl-C at a prompt: the terminal hands it over as a key, not as a signal.

export class Interrupt extends Error {
  override readonly name = 'Interrupt';
}
