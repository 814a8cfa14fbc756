" certo in Vim with ALE: put this into vimrc, after ALE is loaded.

" ALE shows how a search ended only from this severity on.
let g:ale_lsp_show_message_severity = 'information'
call ale#linter#Define('python', {
\   'name': 'certo',
\   'lsp': 'stdio',
\   'executable': 'certo',
\   'command': '%e serve',
\   'project_root': {buffer -> fnamemodify(bufname(buffer), ':p:h')},
\})
