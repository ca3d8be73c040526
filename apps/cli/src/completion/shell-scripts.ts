// The scripts that shells load. They hold no names: each asks `codelab completion words`, so they never go out of date. A line of the answer
// is `value<TAB>hint`, or `:files` or `:folders`, which the shell completes itself. Values are never evaluated.

export const shells = ['bash', 'zsh', 'fish'] as const;
export type ShellName = (typeof shells)[number];

export const shellScripts: Record<ShellName, string> = {
  bash: `# codelab completion for bash: eval "$(codelab completion bash)" in ~/.bashrc
_codelab() {
  local cur=\${COMP_WORDS[COMP_CWORD]} value hint path
  COMPREPLY=()
  while IFS=$'\\t' read -r value hint; do
    case $value in
      :files | :folders)
        compopt -o filenames 2>/dev/null
        [[ $value == :folders ]] && hint=-d || hint=-f
        while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$hint" -- "$cur")
        ;;
      ?*) COMPREPLY+=("$value") ;;
    esac
  done < <("\${COMP_WORDS[0]}" completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _codelab codelab
`,
  zsh: `#compdef codelab
# codelab completion for zsh: eval "$(codelab completion zsh)" in ~/.zshrc, after compinit
_codelab() {
  local line paths
  local -a values
  for line in "\${(@f)$("$words[1]" completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      :files | :folders) paths=$line ;;
      *$'\\t'*) values+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
      ?*) values+=("\${line//:/\\\\:}") ;;
    esac
  done
  (( $#values )) && _describe -V codelab values
  case $paths in
    :files) _files ;;
    :folders) _files -/ ;;
  esac
}
if [[ \${zsh_eval_context[-1]} == loadautofunc ]]; then _codelab "$@"; else compdef _codelab codelab; fi
`,
  fish: `# codelab completion for fish: codelab completion fish > ~/.config/fish/completions/codelab.fish
function __codelab_complete
    set -l typed (commandline -opc)
    set -l cur (commandline -ct)
    for line in (command $typed[1] completion words -- $typed[2..-1] "$cur" 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path "$cur"
            case :folders
                __fish_complete_directories "$cur"
            case '*'
                printf '%s\\n' $line
        end
    end
end
complete -c codelab -f -a '(__codelab_complete)'
`,
};
