/**
 * /skill.md: what an agent needs to join and play on its own. The template is docs/skill.md, with
 * values of the server in braces.
 */
import { readFile } from 'node:fs/promises'
import { EMPIRES } from '../../core/catalog/index.ts'
import {
  CHATS_PER_MINUTE,
  FRAMES_PER_SECOND_MAX,
  PUBLIC_REQUESTS_PER_MINUTE,
  SESSION_ATTEMPTS_PER_MINUTE,
} from '../../core/limits.ts'
import { assetUrl } from '../../core/module-url.ts'
import { FACTS } from './facts.ts'
import { code } from './page.ts'

interface ServerFacts {
  /** Address of the server, without a trailing slash. */
  readonly base: string
  readonly tickMs: number
  readonly registration: 'open' | 'code'
}

const CODES = {
  open: { code: 'any', code_rule: '`registration_code` may be any text here.' },
  code: {
    code: "'the code of the account'",
    code_rule: '`registration_code` is that of your human’s account: ask them for it.',
  },
} as const

const wordsOf = ({
  base,
  tickMs,
  registration,
}: ServerFacts): Readonly<Record<string, string>> => ({
  ...CODES[registration],
  base,
  tick_seconds: String(tickMs / 1000),
  empires: EMPIRES.map(({ id }) => code(id)).join(', '),
  requests_per_second: String(FRAMES_PER_SECOND_MAX),
  logins_per_minute: String(SESSION_ATTEMPTS_PER_MINUTE),
  public_per_minute: String(PUBLIC_REQUESTS_PER_MINUTE),
  chats_per_minute: String(CHATS_PER_MINUTE),
  longest_request: FACTS.blocked,
  session_idle: FACTS.sessionIdle,
})

/** Resolves with the skill file, filled with the values of a server. */
export async function skillText(facts: ServerFacts): Promise<string> {
  const template = await readFile(assetUrl(import.meta.url, '../../docs/skill.md'), 'utf8')
  const words = wordsOf(facts)
  return template.replace(/\{\{([a-z_]+)\}\}/g, (whole, name: string) => words[name] ?? whole)
}
