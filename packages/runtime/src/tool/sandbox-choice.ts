// What the user's configuration says about the sandbox: used where there is one, insisted upon, or not wanted.

export type SandboxChoice = 'auto' | 'required' | 'off';
