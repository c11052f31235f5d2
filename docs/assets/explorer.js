/** The forms of an API explorer: each sends its command to this server with the page's session. */
const byId = (id) => document.getElementById(id)
const { base, version, operations } = JSON.parse(byId('data').textContent)
const key = `session-v${version}`
let session = sessionStorage.getItem(key) ?? ''

function element(tag, props = {}, ...inner) {
  const made = Object.assign(document.createElement(tag), props)
  made.append(...inner)
  return made
}

function showSession() {
  byId('session').textContent = session ? `${session.slice(0, 12)}…` : 'none'
}

function forget() {
  session = ''
  sessionStorage.removeItem(key)
  showSession()
}

function keep(id) {
  if (!id || id === session) return
  session = id
  sessionStorage.setItem(key, id)
  showSession()
}

const parsed = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function send(path, body) {
  const headers = { 'content-type': 'application/json' }
  if (session) headers['x-session-id'] = session
  const started = performance.now()
  const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.text()
  const json = parsed(text)
  keep(json?.session?.id)
  if (json?.error?.code === 'session_invalid') forget()
  return { status: answer.status, ms: Math.round(performance.now() - started), json, text }
}

/** Returns the value of a field in the type of its parameter; undefined if it is empty. */
function valueIn({ type }, field) {
  const raw = field.value.trim()
  if (raw === '') return undefined
  if (type === 'string') return field.value
  if (type === 'boolean') return raw === 'true'
  if (type === 'integer' || type === 'number') return Number(raw)
  return parsed(raw) ?? raw
}

function fieldOf({ name, type, required, values, example }) {
  const choices = type === 'boolean' ? ['true', 'false'] : values
  if (choices.length > 0) {
    const options = ['', ...choices].map((value) =>
      element('option', { value, textContent: value }),
    )
    return element('select', { required }, ...options)
  }
  const placeholder =
    example === null ? '' : typeof example === 'string' ? example : JSON.stringify(example)
  const shared = { placeholder, required, autocomplete: 'off' }
  // The property `type` of a textarea is read-only.
  if (!['string', 'integer', 'number'].includes(type))
    return element('textarea', { ...shared, rows: 2 })
  return element('input', { ...shared, type: name === 'password' ? 'password' : 'text' })
}

function labelOf(param, field) {
  const { name, type, required, description } = param
  return element(
    'label',
    {},
    element(
      'span',
      {},
      element('code', { textContent: name }),
      element('span', {
        className: 'dim',
        textContent: ` ${type}${required ? ', required' : ''}`,
      }),
    ),
    field,
    element('small', { textContent: description }),
  )
}

const answerText = ({ status, ms, json, text }) => {
  const said = typeof json?.result === 'string' ? `${json.result}\n\n` : ''
  return `${status} in ${ms} ms\n\n${said}${json ? JSON.stringify(json, null, 2) : text}`
}

function formOf(operation) {
  const fields = operation.params.map((param) => [param, fieldOf(param)])
  const out = element('pre', { hidden: true, tabIndex: 0 })
  const button = element('button', { textContent: 'Send' })
  const about = element(
    'div',
    { className: 'about dim' },
    element('a', { href: operation.about, textContent: 'Documentation' }),
    ...operation.errors.map((code) =>
      element('a', { href: `/docs/errors#${code}`, textContent: code }),
    ),
  )
  const labels = fields.map(([param, field]) => labelOf(param, field))
  const form = element('form', {}, ...labels, element('div', {}, button), about, out)
  out.setAttribute('role', 'status')
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    button.disabled = true
    out.hidden = false
    out.textContent = operation.mutation ? 'Waiting for the tick…' : '…'
    const given = fields
      .map(([param, field]) => [param.name, valueIn(param, field)])
      .filter(([, value]) => value !== undefined)
    try {
      out.textContent = answerText(await send(operation.path, Object.fromEntries(given)))
    } catch (error) {
      out.textContent = String(error)
    }
    button.disabled = false
  })
  return form
}

function rowOf(operation) {
  const address = operation.path.slice(base.length + 1)
  const summary = element(
    'summary',
    {},
    element('code', { textContent: address }),
    operation.mutation ? element('span', { className: 'tag', textContent: 'mutation' }) : '',
    element('span', { className: 'dim', textContent: ` ${operation.summary}` }),
  )
  const row = element('details', { id: `op/${address}` }, summary)
  row.addEventListener('toggle', () => {
    if (row.open && !row.lastElementChild.matches('form')) row.append(formOf(operation))
  })
  return row
}

const sections = new Map()
const rows = operations.map((operation) => {
  const { group, path, summary } = operation
  const row = rowOf(operation)
  if (!sections.has(group))
    sections.set(group, element('section', {}, element('h2', { textContent: group })))
  const section = sections.get(group)
  section.append(row)
  return { row, section, text: `${path} ${summary} ${group}`.toLowerCase() }
})
byId('list').append(...sections.values())

function filter() {
  const words = byId('find').value.toLowerCase().split(/\s+/)
  const shown = new Set()
  let count = 0
  for (const { row, section, text } of rows) {
    row.hidden = !words.every((word) => text.includes(word))
    if (row.hidden) continue
    shown.add(section)
    count += 1
  }
  for (const section of sections.values()) section.hidden = !shown.has(section)
  byId('count').textContent = count === 1 ? '1 command' : `${count} commands`
}

/** Opens the command that the address names. */
function openNamed() {
  const named = byId(`op/${decodeURIComponent(location.hash.slice(1))}`)
  if (!named) return
  for (const { row } of rows) row.classList.toggle('here', row === named)
  byId('find').value = ''
  filter()
  named.open = true
  named.scrollIntoView()
}

byId('find').addEventListener('input', filter)
byId('make').addEventListener('click', async () => {
  session = ''
  let refusal = ''
  try {
    const answer = await send(`${base}/session`, {})
    if (!session) refusal = `${answer.status}: ${answer.text}`
  } catch (error) {
    refusal = String(error)
  }
  byId('refusal').textContent = refusal
  showSession()
})
byId('forget').addEventListener('click', forget)
addEventListener('hashchange', openNamed)
showSession()
filter()
openNamed()
