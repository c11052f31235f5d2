/**
 * Shared by all command lines, those of the operators' tools and those of `npm run`: the parser,
 * the types of options, and the exit codes: 0 done, 1 failed, 2 invalid command line.
 */
import { Command, InvalidArgumentError } from 'commander'

/** Exit code for an invalid command line. */
export const USAGE_ERROR = 2

const HINT = '(--help lists what there is)'

/** Configures what all programs and commands share. */
const configured = (command: Command): Command =>
  command.showHelpAfterError(HINT).configureHelp({ styleTitle: bold })

const bold = (text: string): string => `\u001b[1m${text}\u001b[22m`

/** Returns the command that contains all others; throws CommanderError where it would exit. */
export const newProgram = (name: string): Command => configured(new Command(name).exitOverride())

/**
 * Returns the command line of a single program, such as `npm run load --`. Its `--help` shows what
 * it does and the defaults; an invalid command line ends the process with 2.
 */
export const newTool = (name: string, about: string): Command =>
  configured(new Command(name))
    .description(about)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : USAGE_ERROR))

/**
 * Refuses options that contradict each other: ends the process of a tool; in a program, throws
 * CommanderError.
 */
export const refuseLine = (command: Command, sentence: string): never =>
  command.error(`error: ${sentence}`)

/** Returns a parser of whole numbers of at least `min` and, if it is given, at most `max`. */
export const wholeFrom =
  (min: number, max = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
    throw new InvalidArgumentError(`It must be a whole number ${range}.`)
  }

/** Parses a number above 0. */
export function aboveZero(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value
  throw new InvalidArgumentError('It must be a number above 0.')
}

/** Returns a parser of lists separated by commas; `read` parses each entry. */
export const listOf =
  <T>(read: (text: string) => T) =>
  (text: string): T[] =>
    text.split(',').map((entry) => read(entry.trim()))

/** Returns a parser that accepts only these words. */
export const oneOf =
  <T extends string>(words: readonly T[]) =>
  (text: string): T => {
    const found = words.find((word) => word === text)
    if (found !== undefined) return found
    throw new InvalidArgumentError(`It must be one of: ${words.join(', ')}.`)
  }
