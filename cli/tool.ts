/**
 * What all operators' tools share: settings from flags, `--json`, `--quiet`, progress on stderr, a
 * report on stdout, and which errors are reported as one sentence without a stack.
 */
import type { Command, Option } from 'commander'
import { type Config, loadConfig, SETTINGS, type Setting } from '../config.ts'
import { AssertionError } from '../core/assert.ts'
import { sentenceOf } from '../fault-text.ts'
import { errorText } from '../log.ts'
import { createProgress, type Progress } from './progress.ts'

/** An error that the operator can fix: only its message is reported, without a stack. */
export class ToolError extends Error {
  override name = 'ToolError'
}

/** What a tool is given to run. */
export interface Tool extends Omit<Progress, 'end'> {
  readonly config: Config
}

/** The result of a tool. */
export interface Report {
  /** With `--json`, printed instead of the text. */
  readonly data: unknown
  readonly text: string
  /** Whether a check failed (a snapshot is damaged, say): exit code 1. */
  readonly failed?: boolean
}

export type Options = Readonly<Record<string, unknown>>

export interface ToolDef {
  /** In the syntax of commander: `diff <before> <after>`. */
  readonly usage: string
  readonly summary: string
  /** Runs if the group is called without a subcommand. */
  readonly isDefault?: true
  /** Shown under the options of `--help`. */
  readonly help?: string
  /** Settings that are flags of this tool, by name. */
  readonly settings: readonly string[]
  readonly options?: readonly Option[]
  run(tool: Tool, args: readonly string[], options: Options): Promise<Report>
}

/** The settings that tell a tool where the world is stored. */
export const DATABASE = [
  'DATABASE_URL',
  'DATABASE_URL_FILE',
  'DATABASE_SCHEMA',
  'DATA_DIR',
] as const

const flagOf = (setting: string): string => `--${setting.toLowerCase().replaceAll('_', '-')}`

/** Returns commander's name for the value of a flag. */
const keyOf = (flag: string): string =>
  flag.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Gives a command the flags of settings; returns those settings. */
export function addSettings(command: Command, names: readonly string[]): readonly Setting[] {
  const settings = SETTINGS.filter(({ name }) => names.includes(name))
  for (const { name, unit, fallback, meaning } of settings) {
    const value = fallback === '' ? 'none' : fallback
    command.option(`${flagOf(name)} <${unit}>`, `${meaning} [${name}, ${value}]`)
  }
  return settings
}

/** Returns those of these settings that were given as flags, in the form that loadConfig reads. */
export const givenFlags = (settings: readonly Setting[], options: Options): string[] =>
  settings.flatMap(({ name }) => {
    const value = options[keyOf(flagOf(name))]
    return value === undefined ? [] : [flagOf(name), String(value)]
  })

/** Adds a tool to a command; its report is printed, and its errors are left to the caller. */
export function addTool(parent: Command, def: ToolDef): void {
  const how = def.isDefault ? { isDefault: true } : {}
  const command = parent.command(def.usage, how).description(def.summary)
  for (const option of def.options ?? []) command.addOption(option)
  command.option('--json', 'report as JSON on stdout')
  command.option('--quiet', 'no progress on stderr')
  const settings = addSettings(command, def.settings)
  if (def.help) command.addHelpText('after', `\n${def.help}`)
  command.action(async () => {
    const options: Options = command.opts()
    const flags = givenFlags(settings, options)
    const json = options.json === true
    const progress = createProgress({ quiet: options.quiet === true })
    try {
      const tool: Tool = { config: loadConfig(process.env, flags, true), ...progress }
      const report = await def.run(tool, command.args, options)
      progress.end()
      if (report.failed) process.exitCode = 1
      process.stdout.write(`${json ? JSON.stringify(report.data, null, 2) : report.text}\n`)
    } catch (error) {
      progress.end()
      if (json)
        process.stdout.write(`${JSON.stringify({ error: faultSentence(error) }, null, 2)}\n`)
      throw error
    }
  })
}

/** Returns an error as text, or undefined if it is a bug whose stack is needed. */
const expected = (error: unknown): string | undefined =>
  error instanceof AssertionError ? error.message : sentenceOf(error)

/** Returns an error for stderr: one sentence if that is enough, else with its stack. */
export const faultOf = (error: unknown): string => expected(error) ?? errorText(error)

/** Returns the message of an error. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** Returns an error for the report: never more than a sentence. */
const faultSentence = (error: unknown): string => expected(error) ?? messageOf(error)
