/**
 * What every command line here has in common, of the operators' tools and of `npm run`: the parser,
 * the values of its options, and its exit codes: 0 done, 1 failed, 2 the line makes no sense.
 */
import { Command, InvalidArgumentError } from 'commander'

/** Exit code of a command line that makes no sense. */
export const USAGE_ERROR = 2

const HINT = '(--help lists what there is)'

/** Adds what all programs and commands share. */
const dressed = (command: Command): Command =>
  command.showHelpAfterError(HINT).configureHelp({ styleTitle: bold })

const bold = (text: string): string => `\u001b[1m${text}\u001b[22m`

/** Returns the command that holds all others; throws CommanderError where it would exit. */
export const newProgram = (name: string): Command => dressed(new Command(name).exitOverride())

/**
 * Returns the command line of a program of its own, `npm run load --`. Its `--help` shows what it
 * does and the defaults; a line that makes no sense ends the process with 2.
 */
export const newTool = (name: string, about: string): Command =>
  dressed(new Command(name))
    .description(about)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : USAGE_ERROR))

/** Ends the process where options make no sense together. */
export const refuseLine = (command: Command, sentence: string): never =>
  command.error(`error: ${sentence}`)

/** Reads a whole number of at least `low`. */
export const wholeFrom =
  (low: number) =>
  (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= low) return value
    throw new InvalidArgumentError(`It must be a whole number from ${low}.`)
  }

/** Reads a number above 0. */
export function aboveZero(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value
  throw new InvalidArgumentError('It must be a number above 0.')
}

/** Reads a list by comma, each entry by `read`. */
export const listOf =
  <T>(read: (text: string) => T) =>
  (text: string): T[] =>
    text.split(',').map((entry) => read(entry.trim()))

/** Reads one of these words. */
export const oneOf =
  <T extends string>(words: readonly T[]) =>
  (text: string): T => {
    const found = words.find((word) => word === text)
    if (found !== undefined) return found
    throw new InvalidArgumentError(`There are: ${words.join(', ')}.`)
  }
