;;; eglot.el --- certo in Emacs with eglot: put this into your init file  -*- lexical-binding: t -*-

;; From Emacs 29 on eglot is built in; in older ones it is a package of its own. Start it with M-x eglot.
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(python-mode . ("certo" "serve"))))

;;; eglot.el ends here
