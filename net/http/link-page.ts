/**
 * The page behind the verification_uri of login_link: a human enters the code that a program shows
 * and an account token or API key, picks the player, and approves or denies. One self-contained
 * file; text of players is never parsed as markup. Source: accounts.md 4.
 */
import { inlinePageHeaders } from './page-headers.ts'

const STYLE = `
:root{color-scheme:light dark;--line:#8886;--dim:#666;--accent:#1f5fc4;--bad:#a32a12}
@media (prefers-color-scheme:dark){:root{--dim:#aaa;--accent:#7ab0ff;--bad:#ff9d7c}}
*{box-sizing:border-box}
body{margin:0;font:16px/1.5 system-ui,sans-serif}
main{max-width:34rem;margin:0 auto;padding:1.5rem 1rem 3rem}
h1{font-size:1.4rem}
label,legend{font-weight:600}
.dim{color:var(--dim);margin:.2rem 0 1rem}
input[type=text],input[type=password]{display:block;width:100%;padding:.5rem;font:inherit;
border:1px solid var(--line);border-radius:4px}
#code{font-family:ui-monospace,monospace;letter-spacing:.1em;text-transform:uppercase}
fieldset{border:1px solid var(--line);border-radius:4px;margin:1.5rem 0 1rem}
#players label{display:block;padding:.25rem 0;font-weight:400;overflow-wrap:anywhere}
button{font:inherit;padding:.5rem 1rem;border:1px solid var(--accent);border-radius:4px;
background:none;color:var(--accent);cursor:pointer}
button:disabled{opacity:.5;cursor:default}
#message{min-height:1.5rem;font-weight:600}
#message.bad{color:var(--bad)}
[hidden]{display:none}
`

const SCRIPT = `
'use strict'
const $ = (id) => document.getElementById(id)
const params = new URLSearchParams(location.search)
$('code').value = (params.get('code') || '').slice(0, 20)

function showMessage(text, isBad) {
  $('message').textContent = text
  $('message').className = isBad ? 'bad' : ''
}

/** Returns the sentence that shows a refusal of the server. */
function refusalText(status, body) {
  if (status === 401)
    return 'This token or key is not accepted; it may have expired. Enter another one.'
  if (status === 403) return 'This player belongs to another account. Pick one of your own.'
  if (status === 404)
    return 'This code is unknown, used or expired. Have the program start a new link.'
  if (status === 429)
    return 'Too many requests from here. Try again in ' + Number(body.retry_after || 60) + ' s.'
  return String(body.message || 'The server answered with status ' + status + '.')
}

/** Resolves with the body of the answer; rejects with a sentence to show. */
async function request(method, path, body) {
  const token = $('token').value.trim()
  if (!/^[A-Za-z0-9_.~+/=-]+$/.test(token)) throw 'Enter an account token or API key.'
  const headers = { authorization: 'Bearer ' + token }
  const init = { method, headers, cache: 'no-store', credentials: 'omit' }
  if (body) {
    headers['content-type'] = 'application/json'
    init.body = JSON.stringify(body)
  }
  let answer
  try {
    answer = await fetch(path, init)
  } catch {
    throw 'The server does not answer. Try again in a moment.'
  }
  const parsed = await answer.json().catch(() => ({}))
  if (!answer.ok) throw refusalText(answer.status, parsed)
  return parsed
}

/** Runs one step and shows why it failed; the buttons are disabled meanwhile. */
async function run(step) {
  const buttons = document.querySelectorAll('button')
  for (const button of buttons) button.disabled = true
  showMessage('One moment.')
  try {
    await step()
  } catch (error) {
    const text = 'This page failed: ' + error + '. Reload it and try again.'
    showMessage(typeof error === 'string' ? error : text, true)
  }
  for (const button of buttons) button.disabled = false
}

function playerOption(player, isOnly) {
  const label = document.createElement('label')
  const input = document.createElement('input')
  input.type = 'radio'
  input.name = 'player'
  input.value = player.player_id
  input.checked = isOnly
  label.append(input, ' ' + player.username + ' (' + player.empire + ')')
  return label
}

let code = ''
async function findPlayers() {
  $('choose').hidden = true
  code = $('code').value.trim()
  if (code === '') throw 'Enter the code that the program shows.'
  const link = await request('GET', '/api/link/' + encodeURIComponent(code))
  if (!link.pending) throw 'This code was already ' + link.status + '.'
  const players = link.players
  const isOnly = players.length === 1
  $('players').replaceChildren(...players.map((player) => playerOption(player, isOnly)))
  $('choose').hidden = false
  $('approve').hidden = players.length === 0
  showMessage(players.length === 0
    ? 'Your account has no player yet: register or claim one first. You can deny this link.'
    : 'Pick a player and approve, or deny.')
}

async function approve() {
  const picked = document.querySelector('input[name=player]:checked')
  if (!picked) throw 'Pick a player first.'
  const name = picked.parentElement.textContent.trim()
  await request('POST', '/api/link/approve', { user_code: code, player_id: picked.value })
  finish('Approved: the program may play as ' + name + '. You can close this page.')
}

async function deny() {
  await request('POST', '/api/link/deny', { user_code: code })
  finish('Denied: the program has no access. You can close this page.')
}

function finish(text) {
  $('choose').hidden = true
  $('token').value = ''
  showMessage(text)
}

$('find').addEventListener('submit', (event) => {
  event.preventDefault()
  void run(findPlayers)
})
$('choose').addEventListener('submit', (event) => {
  event.preventDefault()
  void run(approve)
})
$('deny').addEventListener('click', () => void run(deny))
`

/** The page, the same for every request: its script reads the code from the URL. */
export const LINK_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>Connect a program to your player</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Connect a program to your player</h1>
<p>A program that plays for you showed a code. Continue only if you started that program yourself:
anyone who holds the code plays as the player you pick.</p>
<form id="find" novalidate>
<label for="code">Code</label>
<input id="code" type="text" autocomplete="off" spellcheck="false" aria-describedby="code-hint">
<p id="code-hint" class="dim">Eight letters, as in BCDF-GHJK.</p>
<label for="token">Account token or API key</label>
<input id="token" type="password" autocomplete="off" aria-describedby="token-hint">
<p id="token-hint" class="dim">Sent to this server only, and not kept by this page. The operator of
this server can make one with: npx orrery token account ID</p>
<button type="submit">Show my players</button>
</form>
<form id="choose" novalidate hidden>
<fieldset><legend>Which player may it use?</legend><div id="players"></div></fieldset>
<button id="approve" type="submit">Approve</button>
<button id="deny" type="button">Deny</button>
</form>
<p id="message" role="status" aria-live="polite"></p>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`

/**
 * Headers that allow only its own style and script and connections to this server, and no framing.
 */
export const LINK_PAGE_HEADERS = {
  ...inlinePageHeaders(STYLE, SCRIPT),
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}
