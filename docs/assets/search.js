/**
 * Searches all pages. The library and the records, which the browser indexes, are loaded when the
 * field is first used.
 */
const SHOWN_MAX = 12
const box = document.querySelector('.search')
const field = box.querySelector('input')
const panel = box.querySelector('.found')
const list = box.querySelector('[role=listbox]')
const status = box.querySelector('[role=status]')

const loadLibrary = () =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = '/docs/minisearch.js'
    script.onload = resolve
    script.onerror = reject
    document.head.append(script)
  })

async function loadRecords() {
  const answer = await fetch('/docs/search.json')
  if (!answer.ok) throw new Error(`status ${answer.status}`)
  return answer.json()
}

async function makeIndex() {
  const [records] = await Promise.all([loadRecords(), window.MiniSearch ?? loadLibrary()])
  const index = new window.MiniSearch({
    idField: 'href',
    fields: ['title', 'text'],
    storeFields: ['title', 'kind', 'text'],
    searchOptions: {
      boost: { title: 5 },
      combineWith: 'AND',
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  })
  await index.addAllAsync(records, { chunkSize: 200 })
  return index
}

let made
function indexed() {
  made ??= makeIndex().catch((error) => {
    // The next input tries again.
    made = undefined
    throw error
  })
  return made
}

let active = -1
function activate(at) {
  active = at
  for (const [place, option] of [...list.children].entries())
    option.setAttribute('aria-selected', String(place === at))
  const option = list.children[at]
  if (option) {
    field.setAttribute('aria-activedescendant', option.id)
    option.scrollIntoView({ block: 'nearest' })
  } else field.removeAttribute('aria-activedescendant')
}

function setOpen(isOpen) {
  panel.hidden = !isOpen
  field.setAttribute('aria-expanded', String(isOpen))
  if (!isOpen) activate(-1)
}

const element = (tag, className, text) => {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = text
  return made
}

function optionOf({ id, title, kind, text }, at) {
  const option = element('li', '', '')
  const link = element('a', '', '')
  option.id = `found-${at}`
  option.setAttribute('role', 'option')
  link.href = id
  link.tabIndex = -1
  link.append(element('span', 'kind', kind), element('strong', '', title))
  if (text !== '') link.append(element('small', '', text.slice(0, 160)))
  option.append(link)
  return option
}

async function search() {
  const words = field.value.trim()
  if (words === '') return setOpen(false)
  let found
  try {
    const index = await indexed()
    found = index.search(words)
  } catch {
    list.replaceChildren()
    status.textContent = 'The search could not be loaded. Type again to try once more.'
    return setOpen(true)
  }
  // The text has changed meanwhile.
  if (words !== field.value.trim()) return
  const shown = found.slice(0, SHOWN_MAX)
  list.replaceChildren(...shown.map(optionOf))
  const more = found.length - shown.length
  status.textContent =
    found.length === 0 ? 'No results.' : more > 0 ? `${more} more: add a word.` : ''
  status.hidden = status.textContent === ''
  setOpen(true)
  activate(-1)
}

field.addEventListener('input', search)
field.addEventListener('focus', () => {
  indexed().catch(() => undefined)
  if (list.children.length > 0 && field.value.trim() !== '') setOpen(true)
})
field.addEventListener('keydown', (event) => {
  const count = panel.hidden ? 0 : list.children.length
  if (event.key === 'Escape') {
    event.preventDefault()
    if (panel.hidden) {
      field.value = ''
      field.blur()
    } else setOpen(false)
  } else if (event.key === 'Enter') {
    event.preventDefault()
    list.children[Math.max(0, active)]?.querySelector('a').click()
  } else if (count > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
    event.preventDefault()
    const step = event.key === 'ArrowDown' ? 1 : -1
    activate(active < 0 && step < 0 ? count - 1 : (active + step + count) % count)
  }
})
// The field keeps the focus when a result is clicked.
list.addEventListener('mousedown', (event) => event.preventDefault())
list.addEventListener('click', () => setOpen(false))
box.addEventListener('focusout', () => setOpen(false))
document.addEventListener('keydown', (event) => {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
  if (event.key !== '/' || !isPlain || event.target.closest('input, select, textarea')) return
  event.preventDefault()
  field.focus()
})
box.hidden = false
