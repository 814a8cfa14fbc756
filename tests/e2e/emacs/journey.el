;;; journey.el --- The journey in Emacs with eglot  -*- lexical-binding: t -*-

;;   JOURNEY_CONFIGURATION=… JOURNEY_FILE=… emacs --batch --load journey.el
;;
;; Debian 12 has eglot in a package of its own; from Emacs 29 on it is built in.
;; Prints one line per step, and ends at the first that does not hold, or with exit code 0.

(require 'eglot)

(defvar journey-said nil "What the server had shown to the user, newest first.")
(defvar journey-choice nil "Part of the title that the user picks when a list is shown.")

(defun journey-check (step held &optional seen)
  (princ (format "%s  %s: %s\n" (if held "ok  " "FAIL") step (or seen "")))
  (unless held (error "%s" step)))

(defun journey-until (found)
  "Read what the server says until FOUND gives something, and give that back."
  (let ((end (+ (float-time) 100)) value)
    (while (and (not (setq value (funcall found))) (< (float-time) end))
      (accept-process-output nil 0.05))
    value))

(defun journey-text () (buffer-substring-no-properties (point-min) (point-max)))

(defun journey-to (name)
  "Put the cursor on the name of a function."
  (goto-char (point-min))
  (search-forward (concat "def " name))
  (goto-char (match-beginning 0))
  (forward-char (length "def ")))

(defun journey-titles ()
  (mapcar (lambda (action) (plist-get action :title)) (eglot-code-actions (point) nil nil nil)))

(defun journey-choose (part)
  "Pick the code action whose title has PART in it, from the list that M-x eglot-code-actions shows."
  (setq journey-choice part)
  (eglot-code-actions (point) nil nil t))

(defun journey-pick (_prompt choices &rest _)
  "Answer for the user, who picks from CHOICES."
  (let* ((titles (mapcar (lambda (choice) (if (consp choice) (car choice) choice)) choices))
         (picked (cl-find-if (lambda (title) (string-search journey-choice title)) titles)))
    (journey-check (format "offered to %s" journey-choice) picked (string-join titles " | "))
    picked))

(defun journey-hover ()
  "What eldoc would show at the cursor."
  (set-window-buffer (selected-window) (current-buffer))
  (let (shown)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown (or text ""))))
    (journey-until (lambda () shown))))

(defun journey-heard (part)
  (journey-until (lambda () (cl-find-if (lambda (sentence) (string-search part sentence)) journey-said))))

(defun journey-repair ()
  (journey-to "change")
  (let ((before (journey-text)))
    (journey-choose "repair `change` until its tests pass")
    (let ((result (journey-heard "`change`")))
      (journey-check "result" (and result (string-search "is verified by 3 tests" result)) result))
    (let ((hover (journey-hover)))
      (journey-check "hover" (and hover (string-search "tests 3/3" hover)) (concat "\n" hover)))
    (journey-choose "accept #1")
    (journey-check "accepted" (journey-until (lambda () (not (equal before (journey-text))))))
    (save-buffer)))

(defun journey-cancel ()
  (journey-to "weight")
  (journey-choose "repair `weight` until its tests pass")
  (let ((stop (journey-until (lambda () (cl-find-if (lambda (title) (string-search "cancel (running" title))
                                                    (journey-titles)))))
        (hover (journey-hover)))
    (journey-check "running" stop)
    (journey-check "hover while it runs" (and hover (string-search "Searching for weight" hover)) (concat "\n" hover)))
  (journey-choose "cancel (running")
  (journey-check "cancelled" (journey-until (lambda () (member "Certo: retry" (journey-titles))))))

(defun journey ()
  (setq eglot-sync-connect t make-backup-files nil python-indent-guess-indent-offset nil)
  (load (getenv "JOURNEY_CONFIGURATION") nil t t)
  (cl-defmethod eglot-handle-notification :before (_server (_method (eql window/showMessage)) &key message &allow-other-keys)
    (push message journey-said))
  (find-file (getenv "JOURNEY_FILE"))
  (python-mode)
  (apply #'eglot (eglot--guess-contact))
  (journey-check "initialize" (eglot-current-server))
  ;; In batch the last event is nil, which eglot takes for a click of the mouse, where it would open a menu.
  (let ((last-nonmenu-event ?x))
    (cl-letf (((symbol-function 'completing-read) #'journey-pick)
              ((symbol-function 'yes-or-no-p) (lambda (&rest _) t))
              ((symbol-function 'y-or-n-p) (lambda (&rest _) t)))
      (journey-repair)
      (journey-cancel)))
  (let ((process (jsonrpc--process (eglot-current-server))))
    (eglot-shutdown (eglot-current-server))
    ;; How it ended cannot be seen: once shutdown is answered, jsonrpc.el kills what has not ended by itself at once.
    (journey-check "shut down" (and (not (eglot-current-server)) (not (process-live-p process))))))

(condition-case trouble
    (journey)
  (error (princ (format "%S\n" trouble))
         (kill-emacs 1)))
(kill-emacs 0)
;;; journey.el ends here
