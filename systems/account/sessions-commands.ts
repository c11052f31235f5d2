/** Commands of sessions: the main thread answers them. Source: accounts.md sections 1 to 4. */
import { session } from '../../core/command.ts'
import { ints, NO_PARAMS, obj, optional, str, strings, words } from '../../core/params.ts'
import { say } from '../../core/say.ts'
import { loginLinkPollSchema, loginSchema, registerSchema } from './schemas.ts'

/** Longest name or secret that the schemas accept; the rules are stricter. */
const SENT_CHARACTERS_MAX = 200

const base = { category: 'authentication' } as const
const text = (description: string, example: string) =>
  str(description, { max: SENT_CHARACTERS_MAX, example })

/** Optional by shape only: without it the answer is `registration_code_required`. */
const registrationCode = optional(
  text('Registration code of your account page. Required.', 'a-code-from-your-account-page'),
)

const registration = session({
  ...base,
  name: 'register',
  v2: { tool: 'game_auth', action: 'register' },
  summary: 'Create a player; the answer shows the password once.',
  params: obj({
    username: text('User name, 3 to 24 characters.', 'Ada Lovelace'),
    empire: text('solarian, voidborn, crimson, nebula or outerrim.', 'solarian'),
    registration_code: registrationCode,
  }),
  result: registerSchema,
  errors: words(
    'invalid_username username_taken invalid_empire registration_code_required',
    'invalid_registration_code already_authenticated limit_reached rate_limited',
  ),
  open: true,
})

const login = session({
  ...base,
  name: 'login',
  v2: { tool: 'game_auth', action: 'login' },
  summary: 'Log in with user name and password.',
  params: obj({
    username: text('User name.', 'Ada Lovelace'),
    password: text(
      'The password given at registration, 64 hexadecimal characters.',
      'f'.repeat(64),
    ),
  }),
  result: loginSchema,
  errors: ['invalid_credentials', 'already_authenticated', 'rate_limited'],
  open: true,
})

const loginToken = session({
  ...base,
  name: 'login_token',
  v2: { tool: 'game_auth', action: 'login_token' },
  summary: 'Log in with a single-use token from the website.',
  params: obj({ token: text('Token, valid for five minutes.', 'f'.repeat(64)) }),
  result: loginSchema,
  errors: ['invalid_token', 'already_authenticated', 'rate_limited'],
  open: true,
})

const loginLink = session({
  ...base,
  name: 'login_link',
  v2: { tool: 'game_auth', action: 'login_link' },
  summary: 'Start a login that a human approves in a browser; no password needed.',
  params: NO_PARAMS,
  result: obj({
    ...strings('device_code', 'user_code', 'verification_uri', 'verification_uri_complete'),
    ...strings('instructions'),
    ...ints('interval', 'expires_in'),
  }),
  errors: ['already_authenticated', 'rate_limited'],
  open: true,
})

const loginLinkPoll = session({
  ...base,
  name: 'login_link_poll',
  v2: { tool: 'game_auth', action: 'login_link_poll' },
  summary: 'Ask whether the human has approved the login; logs in once they have.',
  params: obj({ device_code: text(say`The device_code of {login_link}.`, 'f'.repeat(64)) }),
  result: loginLinkPollSchema,
  errors: ['access_denied', 'expired_token', 'already_authenticated', 'rate_limited'],
  open: true,
})

const message = obj(strings('message'))

const logout = session({
  ...base,
  name: 'logout',
  v2: { tool: 'game_auth', action: 'logout' },
  summary: 'Log out; your state is saved.',
  params: NO_PARAMS,
  result: message,
  errors: ['not_authenticated'],
})

const claim = session({
  ...base,
  name: 'claim',
  v2: { tool: 'game_auth', action: 'claim' },
  summary: 'Link this player to a website account, once and for all.',
  params: obj({ registration_code: registrationCode }),
  result: message,
  errors: words(
    'registration_code_required invalid_registration_code already_claimed limit_reached',
    'rate_limited',
  ),
})

export const sessionCommands = [
  registration,
  login,
  loginToken,
  loginLink,
  loginLinkPoll,
  logout,
  claim,
]
