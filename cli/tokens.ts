/**
 * `orrery token player, account, registration, rotate`: issues logins for players without a
 * password, tokens for the website endpoints, and registration codes for new players.
 */
import { type Command, Option } from 'commander'
import { UsageError } from '../config.ts'
import { issueAccountToken, newIssuerKey } from '../net/session/issuer.ts'
import { createAccounts } from '../storage/accounts.ts'
import { wholeFrom } from './command-line.ts'
import { withDatabase } from './database.ts'
import { findAccount, NAMES } from './find.ts'
import { time } from './format.ts'
import { addTool, DATABASE, type ToolDef, ToolError } from './tool.ts'

const HOURS_DEFAULT = 12
const HOURS_MAX = 720
/** The longest id of an account. */
const ID_CHARACTERS_MAX = 200

const playerTool: ToolDef = {
  usage: 'player <name>',
  summary: 'a token that logs a player in once, without password',
  help:
    `${NAMES}\nFor development: anybody who has the token can log in as the player for five minutes.\n` +
    'The running server on the same database accepts it by WebSocket v2, HTTP v2 and MCP.',
  settings: DATABASE,
  run: (tool, [name]) =>
    withDatabase(tool, async ({ sql }) => {
      const accounts = createAccounts(sql)
      const row = await findAccount(accounts, name)
      const { token, expiresAt } = await accounts.issueLoginToken(row.playerId)
      const call = `POST /api/v2/game_auth/login_token ${JSON.stringify({ token })}`
      const data = { player_id: row.playerId, username: row.username, token, expires_at: expiresAt }
      return { data, text: `${call}\nfor ${row.username}, once, until ${time(expiresAt)}` }
    }),
}

const accountTool: ToolDef = {
  usage: 'account <id>',
  summary: 'a bearer token of a website account, signed by the server itself',
  help:
    'The account is created when the token is first used; choose any id. Only for servers without an\n' +
    'identity provider: if AUTH_ISSUER is set, only that provider issues tokens. A running server\n' +
    'accepts the token at once: curl -H "Authorization: Bearer TOKEN" .../api/me',
  settings: [...DATABASE, 'AUTH_ISSUER', 'AUTH_AUDIENCE', 'AUTH_JWKS_URL'],
  options: [
    new Option('--email <address>', 'e-mail address of the account'),
    new Option('--username <name>', 'name of the account holder'),
    new Option('--hours <count>', `hours until it expires, at most ${HOURS_MAX}`)
      .argParser(wholeFrom(1, HOURS_MAX))
      .default(HOURS_DEFAULT),
  ],
  run(tool, [account], options) {
    if (tool.config.authIssuer !== undefined) {
      throw new ToolError(
        `Account tokens come from ${tool.config.authIssuer} (AUTH_ISSUER); the server accepts ` +
          'no others.',
      )
    }
    if (account.trim() === '' || account.length > ID_CHARACTERS_MAX) {
      throw new UsageError(`An account id has 1 to ${ID_CHARACTERS_MAX} characters.`)
    }
    return withDatabase(tool, async ({ sql }) => {
      const key = await createAccounts(sql).issuerKey(newIssuerKey)
      const hours = Number(options.hours)
      const { email, username } = options as { email?: string; username?: string }
      const made = await issueAccountToken(key, { account, hours, email, username })
      const data = { account_id: account, token: made.token, expires_at: made.expiresAt }
      return { data, text: `${made.token}\nfor account ${account}, until ${time(made.expiresAt)}` }
    })
  },
}

const rotateTool: ToolDef = {
  usage: 'rotate',
  summary: 'a new key for account tokens; older tokens become invalid',
  help:
    'Use this if others may have seen the key. A running server keeps the key it started with:\n' +
    'after a restart it refuses all older account tokens. API keys and passwords stay valid.',
  settings: DATABASE,
  run: (tool) =>
    withDatabase(tool, async ({ sql }) => {
      const key = await newIssuerKey()
      await createAccounts(sql).replaceIssuerKey(key)
      return { data: { kid: key.kid }, text: `key ${key.kid} from the next start of the server` }
    }),
}

const registrationTool: ToolDef = {
  usage: 'registration <account>',
  summary: 'the registration code of a website account, created if there is none',
  settings: DATABASE,
  run: (tool, [account]) =>
    withDatabase(tool, async ({ sql }) => {
      const code = await createAccounts(sql).registrationCode(account)
      const data = { account_id: account, registration_code: code }
      return { data, text: `registration_code ${code} (account ${account})` }
    }),
}

export function addTokenTools(parent: Command): void {
  const token = parent
    .command('token')
    .description('tokens for players and accounts; registration codes')
  for (const def of [playerTool, accountTool, registrationTool, rotateTool]) addTool(token, def)
}
