/**
 * `orrery completion`: prints shell code that completes command lines of `orrery` and `npx orrery`,
 * generated from the definitions of the commands.
 */
import { Argument, type Command } from 'commander'

/** The words that may follow `line`: names of commands, options and choices. */
interface Place {
  /** `orrery snapshot`, or `orrery player --anonymous` where the words are values of the option. */
  readonly line: string
  readonly words: readonly string[]
}

const isShown = ({ hidden }: { readonly hidden: boolean }): boolean => !hidden

/** Returns every place of a command and of those below it. */
function placesOf(command: Command, line: string): Place[] {
  const help = command.createHelp()
  const options = help.visibleOptions(command).filter(isShown)
  const below = help.visibleCommands(command)
  const words = [
    ...below.map((one) => one.name()),
    ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    ...options.flatMap(({ long, short }) => long ?? short ?? []),
  ]
  const values = options.flatMap(({ long, argChoices }) =>
    argChoices ? [{ line: `${line} ${long}`, words: argChoices }] : [],
  )
  const inner = below
    .filter((one) => one.name() !== 'help')
    .flatMap((one) => placesOf(one, `${line} ${one.name()}`))
  return [{ line, words }, ...values, ...inner]
}

/** Returns whether the words are values of an option. */
const isOfOption = ({ line }: Place): boolean => line.includes(' --')

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * Returns the code that bash and zsh share: it follows the words before the cursor from command to
 * subcommand, skips all others (options, values, files), and offers the words of the last command.
 */
const sharedCode = (places: readonly Place[]): string => {
  const commands = places.filter((place) => !isOfOption(place))
  const values = places.filter(isOfOption)
  const cases = (from: readonly Place[]): string =>
    from
      .map(({ line, words }) => `    ${quoted(line)}) found=${quoted(words.join(' '))} ;;`)
      .join('\n')
  return `  local line=orrery found='' word
  for word in "\${before[@]}"; do
    case "$line $word" in
      ${commands.map(({ line }) => quoted(line)).join(' | ')}) line="$line $word" ;;
    esac
  done
  case "$line" in
${cases(commands)}
  esac
  case "$line $word" in
${cases(values)}
  esac`
}

const bash = (places: readonly Place[]): string => `# orrery, for bash
_orrery() {
  local -a before=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  if [[ \${COMP_WORDS[0]} == npx ]]; then
    [[ \${before[0]} == orrery ]] || return
    before=("\${before[@]:1}")
  fi
${sharedCode(places)}
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _orrery orrery npx`

const zsh = (places: readonly Place[]): string => `#compdef orrery npx
_orrery() {
  local -a before=("\${(@)words[2,CURRENT-1]}")
  if [[ $words[1] == npx ]]; then
    [[ $before[1] == orrery ]] || { _files; return }
    shift before
  fi
${sharedCode(places)}
  compadd -- \${=found}
  _files
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _orrery orrery npx`

/**
 * Returns the same cases for fish. `--` keeps `string` from reading words that begin with a dash as
 * its own options.
 */
const fishCases = (places: readonly Place[]): string =>
  places
    .map(({ line, words }) => {
      const offer = `string split -- ' ' ${quoted(words.join(' '))}`
      return `    case ${quoted(line)}\n      ${offer}\n      return`
    })
    .join('\n')

const fish = (places: readonly Place[]): string => {
  const commands = places.filter((place) => !isOfOption(place))
  return `# orrery, for fish
function __orrery_words
  set -l line orrery
  set -l word
  set -l before (commandline -opc)[2..-1]
  test (commandline -opc)[1] = npx; and set before $before[2..-1]
  for word in $before
    switch "$line $word"
      case ${commands.map(({ line }) => quoted(line)).join(' ')}
        set line "$line $word"
    end
  end
  switch "$line $word"
${fishCases(places.filter(isOfOption))}
  end
  switch "$line"
${fishCases(commands)}
  end
end
complete -c orrery -a '(__orrery_words)'
complete -c npx -n '__fish_seen_subcommand_from orrery' -a '(__orrery_words)'`
}

const SHELLS = { bash, zsh, fish } as const

const HELP = `
For the current shell: source <(npx orrery completion bash)
To make it permanent, add that line to ~/.bashrc; for fish, write the output to
~/.config/fish/completions/orrery.fish.`

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print shell code that completes these command lines')
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(SHELLS)))
    .addHelpText('after', HELP)
    .action((shell: keyof typeof SHELLS) => {
      process.stdout.write(`${SHELLS[shell](placesOf(program, 'orrery'))}\n`)
    })
}
