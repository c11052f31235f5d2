/** The README as its readers paste it: code blocks line by line, and commands within the text. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../servers.ts'

interface Block {
  readonly language: string
  readonly lines: readonly string[]
}

const README = readFileSync(join(PROJECT, 'README.md'), 'utf8')
const FENCED = /^```(.*)\n([\s\S]*?)^```$/gm

/** The blocks in their order, without empty lines. */
export const BLOCKS: readonly Block[] = [...README.matchAll(FENCED)].map(([, language, text]) => ({
  language,
  lines: text.split('\n').filter((line) => line.trim() !== ''),
}))

/** Commands of npm within sentences and tables. */
export const INLINE: readonly string[] = [
  ...new Set(
    [...README.replaceAll(FENCED, '').matchAll(/`((?:\w+=\S+ )*np[mx] [^`]+)`/g)].map(
      ([, line]) => line,
    ),
  ),
]

/** Returns whether a line runs until it is stopped, or for minutes: its help is read instead. */
export const isLong = (line: string): boolean =>
  /^(\w+=\S+ )*(npm (start|run)|npx orrery start)\b/.test(line)

/** Returns a line without the comment at its end. */
const codeOf = (line: string): string => line.replace(/\s+# .*$/, '')

/** What is pasted into a shell, line by line. */
export const SHELL_LINES: readonly string[] = BLOCKS.filter(({ language }) => language === 'sh')
  .flatMap(({ lines }) => lines)
  .map(codeOf)
